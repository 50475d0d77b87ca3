#include "formats/wsdl/schemas.hpp"

#include <postbus/element.hpp>

#include "base/buffer.hpp"
#include "formats/wsdl/namespaces.hpp"
#include "formats/wsdl/write.hpp"
#include "formats/xml/parse.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::wsdl {
namespace {

/// An element as a document of its own: with all that is in scope where it stands.
std::string written(Element element) {
    Buffer bytes;
    xml::Writer writer;
    writer.begin(bytes);
    writer.copy(element);
    return std::string(bytes.view());
}

std::string targetOf(Element schema) { return std::string(schema.attribute("", "targetNamespace").value_or("")); }

/// A name beside `document`'s own, so that relative references lead where they led.
std::string nameOf(const std::string& document, std::size_t number) {
    return document.substr(0, document.rfind('/') + 1) + "schema-" + std::to_string(number) + "-of-" +
           (document.empty() ? "the-wsdl" : document.substr(document.rfind('/') + 1));
}

/// Adds the schemas within the types of a WSDL; what is none has none.
Result<void> addFrom(const std::string& name, std::string_view text, xsd::SchemaDocuments& schemas) {
    xml::Tape tape;
    if (auto parsed = xml::parse(text, "", xml::Limits{}, tape); !parsed)
        return std::move(parsed).error().in(name.empty() ? "the WSDL" : name);
    const Element root = tape.root();
    if (root.is(ns::schema, "schema")) {
        schemas.all[name] = {targetOf(root), written(root)};
        return ok();
    }
    if (!root.is(ns::wsdl, "definitions")) return ok();
    std::size_t number = 0;
    for (Element types = root.firstChild(); types; types = types.next()) {
        if (!types.is(ns::wsdl, "types")) continue;
        for (Element each = types.firstChild(); each; each = each.next()) {
            if (!each.is(ns::schema, "schema")) continue;
            const std::string its = nameOf(name, ++number);
            schemas.all[its] = {targetOf(each), written(each)};
            schemas.roots.push_back(its);
        }
    }
    return ok();
}

}  // namespace

Result<xsd::SchemaDocuments> schemasOf(const Contract& contract) {
    xsd::SchemaDocuments schemas;
    const std::string made = contract.document.empty() ? write(contract, {}) : std::string();
    if (auto added = addFrom("", made.empty() ? contract.document : made, schemas); !added)
        return std::move(added).error();
    for (const auto& [name, text] : contract.documents)
        if (auto added = addFrom(name, text, schemas); !added) return std::move(added).error();
    return schemas;
}

}  // namespace postbus::wsdl
