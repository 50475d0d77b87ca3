#include <algorithm>

#include "formats/xml/chars.hpp"
#include "formats/xsd/reader/resolver.hpp"

namespace postbus::xsd {
namespace {

constexpr std::size_t mostAttributes = 1'000;  // of one type

}  // namespace

Result<void> Resolver::readAttributes(Type& type, const Component& at) {
    for (Element each = at.node.firstChild(); each; each = each.next()) {
        const Component component{each, at.document};
        Result<void> read;
        if (isSchemaElement(each, "attribute")) read = readAttribute(type, component);
        if (isSchemaElement(each, "attributeGroup")) read = readAttributeGroup(type, component);
        if (!read) return read;
    }
    return ok();
}

Result<void> Resolver::readAttributeGroup(Type& type, const Component& at) {
    const Depth depth(*this);
    if (!depth) return Depth::error(at);
    auto name = nameAt(at, attributeOf(at.node, "ref"));
    if (!name) return std::move(name).error();
    const Component* group = components.find(Components::Kind::AttributeGroup, *name);
    if (!group) return unknown(at, "attribute group", *name);
    return readAttributes(type, *group);
}

Result<void> Resolver::readAttribute(Type& type, const Component& at) {
    if (++parts_ > mostParts || type.attributes.size() == mostAttributes) return tooMany(at);
    AttributeDeclaration its;
    Component from = at;  // what tells the type
    const std::string_view ref = attributeOf(at.node, "ref");
    if (ref.empty()) {
        const std::string_view form = attributeOf(at.node, "form");
        const bool qualified = form.empty() ? at.document->qualifiedAttributes : form == "qualified";
        const std::string_view local = attributeOf(at.node, "name");
        if (!xml::isNcName(local)) return problemAt(at, "an attribute with neither ref nor a name that can be one");
        its.name = {qualified ? at.document->ns : std::string(), std::string(local)};
    } else {
        auto name = nameAt(at, ref);
        if (!name) return std::move(name).error();
        its.name = *std::move(name);
        const Component* global = components.find(Components::Kind::Attribute, its.name);
        const bool known = global || its.name.uri == xml::xmlNamespace;  // xml:lang and its like need no schema
        if (!known) return unknown(at, "attribute", its.name);
        if (global) from = *global;
    }
    const auto same = [&](const AttributeDeclaration& each) { return each.name == its.name; };
    type.attributes.erase(std::remove_if(type.attributes.begin(), type.attributes.end(), same), type.attributes.end());
    const std::string_view use = attributeOf(at.node, "use");
    if (use == "prohibited") return ok();
    its.required = use == "required";
    for (const Component& each : {from, at})
        for (const char* kind : {"default", "fixed"})
            if (const auto value = each.node.attribute("", kind)) its.value = *value;

    const Element inner = from.node.child(schemaNamespace, "simpleType");
    const std::string_view name = attributeOf(from.node, "type");
    if (inner) {
        its.type = anonymous({inner, from.document});
    } else if (name.empty()) {
        its.type = builtin("anySimpleType");
    } else {
        auto found = typeNamed(from, name);
        if (!found) return std::move(found).error();
        its.type = *found;
    }
    type.attributes.push_back(std::move(its));
    return ok();
}

}  // namespace postbus::xsd
