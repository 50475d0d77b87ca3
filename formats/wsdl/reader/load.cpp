#include "formats/wsdl/reader/load.hpp"

#include <algorithm>
#include <set>

#include "formats/wsdl/namespaces.hpp"
#include "formats/wsdl/reader/loaded.hpp"
#include "formats/xml/chars.hpp"
#include "formats/xml/parse.hpp"

namespace postbus::wsdl {
namespace {

/// Namespaces whose schemas are not read: they describe XML and SOAP themselves, and no service's messages.
constexpr std::string_view wellKnown[] = {ns::schema,
                                          xml::xmlNamespace,
                                          ns::wsdl,
                                          ns::soap,
                                          ns::soap12,
                                          "http://schemas.xmlsoap.org/soap/envelope/",
                                          "http://schemas.xmlsoap.org/soap/encoding/",
                                          "http://www.w3.org/2003/05/soap-envelope",
                                          "http://www.w3.org/2003/05/soap-encoding"};

std::string_view attributeOf(Element element, std::string_view name) {
    return element.attribute("", name).value_or(std::string_view{});
}

class Loader {
public:
    Loader(const Fetch& fetch, const LoadLimits& limits, Description& into)
        : fetch_(fetch), limits_(limits), into_(into) {}

    Result<void> load(const std::string& location) {
        open_.push_back({location, "", "", false});
        while (!open_.empty()) {
            const Reference next = std::move(open_.back());
            open_.pop_back();
            if (!seen_.emplace(next.location, next.includedInto).second) continue;
            if (auto taken = take(next); !taken) return taken;
        }
        return ok();
    }

private:
    struct Reference {
        std::string location;
        std::string includedInto;  // namespace of the schema that includes it
        std::string from;          // "stock.wsdl:7: "; empty for the one that was asked for
        bool schema;               // may be missing, until it is needed
    };

    Result<void> take(const Reference& reference) {
        if (seen_.size() > limits_.documents)
            return Error(Error::Kind::TooLarge, reference.from + "more than " + std::to_string(limits_.documents) +
                                                    " documents are referred to");
        auto bytes = fetch_(reference.location);
        if (!bytes) {
            const std::string why = reference.from + reference.location + ": " + bytes.error().message();
            if (!reference.schema) return Error(bytes.error().kind(), why);
            into_.schemas.missing(why);
            return ok();
        }
        size_ += bytes->size();
        if (bytes->size() > limits_.oneDocument || size_ > limits_.bytes)
            return Error(Error::Kind::TooLarge,
                         reference.from + reference.location + ": more than " +
                             std::to_string(bytes->size() > limits_.oneDocument ? limits_.oneDocument : limits_.bytes) +
                             " bytes");
        Loaded& loaded = into_.documents->all.emplace_back();
        loaded.location = reference.location;
        xml::Limits limits;
        limits.dropInstructions = true;
        limits.nodes = 1'000'000;
        auto parsed = xml::parse(*bytes, "", limits, loaded.tape);
        if (!parsed) return std::move(parsed).error().in(reference.from + reference.location);
        return enter({loaded.tape.root(), &loaded}, reference);
    }

    Result<void> enter(const Spot& root, const Reference& reference) {
        if (root.node.is(ns::schema, "schema")) return enterSchema(root, reference.includedInto);
        if (root.node.is(ns::wsdl, "definitions")) return enterDefinitions(root);
        std::string name;
        xml::appendPrintable(name, root.node.uri(), 100);
        xml::appendPrintable(name, std::string(name.empty() ? "" : " ") + std::string(root.node.local()), 60);
        if (root.node.local() == "description") return problemAt(root, "a WSDL 2.0; only WSDL 1.1 is read");
        return problemAt(root, "neither a WSDL nor a schema: the root element is " + name);
    }

    Result<void> enterDefinitions(const Spot& root) {
        into_.documents->definitions.push_back(root);
        for (Element each = root.node.firstChild(); each; each = each.next()) {
            if (each.is(ns::wsdl, "import")) {
                if (auto added = refer({each, root.document}, attributeOf(each, "location"), "", false); !added)
                    return added;
            }
            if (!each.is(ns::wsdl, "types")) continue;
            for (Element schema = each.firstChild(); schema; schema = schema.next()) {
                if (!schema.is(ns::schema, "schema")) continue;
                if (auto entered = enterSchema({schema, root.document}, ""); !entered) return entered;
            }
        }
        return ok();
    }

    Result<void> enterSchema(const Spot& schema, const std::string& includedInto) {
        const std::string own(attributeOf(schema.node, "targetNamespace"));
        for (Element each = schema.node.firstChild(); each; each = each.next()) {
            const bool import = each.is(ns::schema, "import");
            if (!import && !each.is(ns::schema, "include")) continue;
            const std::string_view uri = attributeOf(each, "namespace");
            if (import && std::find(std::begin(wellKnown), std::end(wellKnown), uri) != std::end(wellKnown)) continue;
            const std::string into = import ? std::string() : own.empty() ? includedInto : own;
            auto added = refer({each, schema.document}, attributeOf(each, "schemaLocation"), into, true);
            if (!added) return added;
        }
        return into_.schemas.add(schema.node, schema.document->location, includedInto);
    }

    Result<void> refer(const Spot& at, std::string_view location, std::string includedInto, bool schema) {
        if (location.empty()) {
            // An import without a location means a schema that stands elsewhere; of a WSDL nothing could be meant.
            if (schema) return ok();
            return problemAt(at, "an import without a location");
        }
        auto resolved = resolveLocation(at.document->location, location);
        if (!resolved) return problemAt(at, resolved.error().message());
        const std::string from = at.document->location + ':' + std::to_string(at.node.line()) + ": ";
        open_.push_back({*std::move(resolved), std::move(includedInto), from, schema});
        if (open_.size() <= 100 * limits_.documents) return ok();
        return Error(Error::Kind::TooLarge, from + "too many imports");
    }

    const Fetch& fetch_;
    const LoadLimits& limits_;
    Description& into_;
    std::vector<Reference> open_;
    std::set<std::pair<std::string, std::string>> seen_;
    std::size_t size_ = 0;
};

}  // namespace

Error problemAt(const Spot& at, const std::string& text) {
    return Error::invalid(at.document->location + ':' + std::to_string(at.node.line()) + ": " + text);
}

Description::Description() : documents(std::make_unique<LoadedDocuments>()) {}
Description::Description(Description&&) noexcept = default;
Description& Description::operator=(Description&&) noexcept = default;
Description::~Description() = default;

const PortOperation* Port::find(std::string_view operation) const {
    const auto at = std::find_if(operations.begin(), operations.end(),
                                 [&](const PortOperation& each) { return each.name == operation; });
    return at == operations.end() ? nullptr : &*at;
}

Result<void> loadDocuments(const std::string& location, const Fetch& fetch, const LoadLimits& limits,
                           Description& description) {
    return Loader(fetch, limits, description).load(location);
}

Result<Description> load(const std::string& location, const Fetch& fetch, const LoadLimits& limits) {
    Description description;
    if (auto loaded = loadDocuments(location, fetch, limits, description); !loaded) return std::move(loaded).error();
    if (auto read = readPorts(description); !read) return std::move(read).error();
    return description;
}

}  // namespace postbus::wsdl
