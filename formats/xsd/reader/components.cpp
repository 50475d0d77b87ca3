#include "formats/xsd/reader/components.hpp"

#include <set>

#include "formats/xml/chars.hpp"
#include "formats/xsd/reader/builtin.hpp"

namespace postbus::xsd {
namespace {

constexpr std::size_t mostSubstitutes = 1'000;

/// Which kind a schema's child is; false for annotations, imports and what else declares nothing.
bool kindOf(Element node, Components::Kind& kind) {
    using Kind = Components::Kind;
    constexpr std::pair<std::string_view, Kind> kinds[] = {
        {"element", Kind::Element}, {"complexType", Kind::Type},    {"simpleType", Kind::Type},
        {"group", Kind::Group},     {"attribute", Kind::Attribute}, {"attributeGroup", Kind::AttributeGroup}};
    for (const auto& [local, its] : kinds) {
        if (!isSchemaElement(node, local)) continue;
        kind = its;
        return true;
    }
    return false;
}

}  // namespace

bool isSchemaElement(Element element, std::string_view local) { return element.is(schemaNamespace, local); }

std::string_view attributeOf(Element element, std::string_view name) {
    return element.attribute("", name).value_or(std::string_view{});
}

bool isTrue(Element element, std::string_view name) { return booleanOf(attributeOf(element, name)).value_or(false); }

Error problemAt(const Component& at, const std::string& text) {
    return Error::invalid(at.document->location + ':' + std::to_string(at.node.line()) + ": " + text);
}

Result<Name> nameAt(const Component& at, std::string_view text) {
    text = trimmed(text);
    const std::size_t colon = text.find(':');
    const std::string_view prefix = colon == std::string_view::npos ? std::string_view{} : text.substr(0, colon);
    const std::string_view local = colon == std::string_view::npos ? text : text.substr(colon + 1);
    std::string shown;
    xml::appendPrintable(shown, text, 200);
    if (!xml::isNcName(local)) return problemAt(at, "'" + shown + "' is no name");
    const auto uri = at.node.lookup(prefix);
    if (!uri && !prefix.empty()) return problemAt(at, "the prefix of '" + shown + "' is not declared");
    const bool none = !uri || uri->empty();
    return Name{none && at.document->chameleon ? at.document->ns : std::string(uri.value_or("")), std::string(local)};
}

Result<void> Components::add(Element schema, std::string location, std::string_view includedInto) {
    Document& document = documents_.emplace_back();
    document.location = std::move(location);
    document.ns = attributeOf(schema, "targetNamespace");
    if (document.ns.empty() && !includedInto.empty()) {
        document.ns = includedInto;
        document.chameleon = true;
    }
    document.qualifiedElements = attributeOf(schema, "elementFormDefault") == "qualified";
    document.qualifiedAttributes = attributeOf(schema, "attributeFormDefault") == "qualified";
    for (Element each = schema.firstChild(); each; each = each.next())
        if (auto entered = enter(each, document); !entered) return entered;
    return ok();
}

Result<void> Components::enter(Element node, const Document& document) {
    const Component component{node, &document};
    if (isSchemaElement(node, "redefine"))
        return problemAt(component, "xs:redefine is not supported; include a schema that says what is meant");
    Kind kind{};
    if (!kindOf(node, kind)) return ok();
    const std::string_view local = attributeOf(node, "name");
    if (!xml::isNcName(local))
        return problemAt(component, "xs:" + std::string(node.local()) + " without a name in a schema");
    Name name{document.ns, std::string(local)};
    if (kind == Kind::Element) {
        if (const std::string_view head = attributeOf(node, "substitutionGroup"); !head.empty()) {
            auto its = nameAt(component, head);
            if (!its) return std::move(its).error();
            substitutes_.emplace(*std::move(its), name);
        }
    }
    of_[static_cast<std::size_t>(kind)].emplace(std::move(name), component);
    return ok();
}

const Component* Components::find(Kind kind, const Name& name) const {
    const auto& all = of_[static_cast<std::size_t>(kind)];
    const auto at = all.find(name);
    return at == all.end() ? nullptr : &at->second;
}

std::vector<Name> Components::substitutes(const Name& head) const {
    std::vector<Name> found;
    std::set<Name> seen{head};
    std::vector<Name> open{head};
    while (!open.empty() && found.size() < mostSubstitutes) {
        const auto [first, last] = substitutes_.equal_range(open.back());
        open.pop_back();
        for (auto each = first; each != last; ++each) {
            if (!seen.insert(each->second).second) continue;
            found.push_back(each->second);
            open.push_back(each->second);
        }
    }
    return found;
}

}  // namespace postbus::xsd
