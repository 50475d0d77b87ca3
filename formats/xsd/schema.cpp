#include "formats/xsd/schema.hpp"

#include <algorithm>
#include <set>

#include "formats/xml/chars.hpp"
#include "formats/xsd/type_view.hpp"

namespace postbus::xsd {
namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

bool isList(const postbus_field& field) { return (field.flags & POSTBUS_FIELD_LIST) != 0; }
bool mayLack(const postbus_field& field) { return isList(field) || (field.flags & POSTBUS_FIELD_OPTIONAL) != 0; }

void writeField(Markup& out, const postbus_field& field) {
    std::string type(builtIn(field.kind));
    if (type.empty()) type = "tns:" + std::string(view(field.type->name));
    const std::string_view least = mayLack(field) ? std::string_view("0") : std::string_view{};
    const std::string_view most = isList(field) ? std::string_view("unbounded") : std::string_view{};
    const Markup::Attributes attributes{
        {"name", view(field.name)}, {"type", type}, {"minOccurs", least}, {"maxOccurs", most}};
    if (view(field.doc).empty()) return out.leaf("xs:element", attributes);
    out.open("xs:element", attributes);
    out.open("xs:annotation");
    out.element("xs:documentation", view(field.doc));
    out.close();
    out.close();
}

void writeStruct(Markup& out, std::string_view name, const postbus_type& type) {
    out.open("xs:complexType", {{"name", name}});
    if (type.field_count == 0) {
        out.leaf("xs:sequence");
    } else {
        out.open("xs:sequence");
        for (std::uint32_t i = 0; i < type.field_count; ++i) writeField(out, fieldAt(type, i));
        out.close();
    }
    out.close();
}

void writeEnum(Markup& out, std::string_view name, const postbus_type& type) {
    out.open("xs:simpleType", {{"name", name}});
    out.open("xs:restriction", {{"base", "xs:string"}});
    for (std::uint32_t i = 0; i < type.value_count; ++i) out.leaf("xs:enumeration", {{"value", view(type.values[i])}});
    out.close();
    out.close();
}

void writeAnyContent(Markup& out, std::string_view name) {
    out.open("xs:complexType", {{"name", name}});
    out.open("xs:sequence");
    out.leaf("xs:any", {{"minOccurs", "0"}, {"maxOccurs", "unbounded"}, {"processContents", "lax"}});
    out.close();
    out.close();
}

}  // namespace

void Schema::element(std::string_view name, const postbus_type* type) {
    const std::string own(name);
    if (!xml::isNcName(own)) problem("element " + quoted(own) + ": not an XML name without a colon");
    if (type && type->kind != POSTBUS_KIND_STRUCT)
        return problem("element " + quoted(own) + ": its type must be a struct");
    if (std::find(elements_.begin(), elements_.end(), own) == elements_.end()) elements_.push_back(own);
    add(own, type);
}

void Schema::add(const std::string& name, const postbus_type* type) {
    const auto [there, fresh] = byName_.emplace(name, types_.size());
    if (!fresh) {
        if (!sameType(types_[there->second].type, type)) problem("two different types are named " + quoted(name));
        return;
    }
    types_.push_back({name, type});
    if (!type) return;
    if (type->kind == POSTBUS_KIND_ENUM)
        checkEnum(name, *type);
    else
        checkStruct(name, *type);
}

void Schema::checkEnum(const std::string& name, const postbus_type& type) {
    std::set<std::string_view> values;
    for (std::uint32_t i = 0; i < type.value_count; ++i) {
        const std::string_view value = view(type.values[i]);
        if (!values.insert(value).second)
            problem("enum " + quoted(name) + ": value " + quoted(value) + " stands twice");
    }
    if (values.empty()) problem("enum " + quoted(name) + " has no values");
}

void Schema::checkStruct(const std::string& name, const postbus_type& type) {
    if (type.field_count && (!type.fields || type.field_size < sizeof(postbus_field)))
        return problem("type " + quoted(name) + ": its fields are not described");
    std::set<std::string_view> names;
    for (std::uint32_t i = 0; i < type.field_count; ++i) {
        const postbus_field& field = fieldAt(type, i);
        if (!names.insert(view(field.name)).second)
            problem("type " + quoted(name) + ": field " + quoted(view(field.name)) + " stands twice");
        checkField(name, field);
    }
}

void Schema::checkField(const std::string& owner, const postbus_field& field) {
    const std::string place = "type " + quoted(owner) + ", field " + quoted(view(field.name)) + ": ";
    if (!xml::isNcName(view(field.name))) problem(place + "not an XML name without a colon");
    if (!builtIn(field.kind).empty()) return;
    if (field.kind != POSTBUS_KIND_ENUM && field.kind != POSTBUS_KIND_STRUCT)
        return problem(place + "kind " + std::to_string(field.kind) + " is not known to this bus");
    if (!field.type) return problem(place + "its type is not described");
    if (field.type->kind != field.kind) return problem(place + "its type is of another kind than it says");
    const std::string name(view(field.type->name));
    if (!xml::isNcName(name)) return problem(place + "its type has no usable name (" + quoted(name) + ")");
    add(name, field.type);
}

void Schema::write(Markup& out, std::string_view targetNamespace) const {
    out.open("xs:schema", {{"targetNamespace", targetNamespace},
                           {"elementFormDefault", "unqualified"},
                           {"attributeFormDefault", "unqualified"}});
    for (const std::string& each : elements_)
        out.leaf("xs:element", {{"name", each}, {"type", "tns:" + each}, {"nillable", "true"}});
    for (const Named& each : types_) {
        if (!each.type)
            writeAnyContent(out, each.name);
        else if (each.type->kind == POSTBUS_KIND_ENUM)
            writeEnum(out, each.name, *each.type);
        else
            writeStruct(out, each.name, *each.type);
    }
    out.close();
}

}  // namespace postbus::xsd
