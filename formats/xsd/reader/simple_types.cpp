#include "formats/xsd/reader/resolver.hpp"

namespace postbus::xsd {
namespace {

constexpr std::size_t mostEnumerators = 10'000;

Element childOf(Element node, std::string_view local) { return node.child(schemaNamespace, local); }

}  // namespace

Result<void> Resolver::readSimple(Type& type, const Component& at) {
    if (const Element restriction = childOf(at.node, "restriction"))
        return readRestriction(type, {restriction, at.document});
    if (const Element list = childOf(at.node, "list")) return readList(type, {list, at.document});
    if (!childOf(at.node, "union")) return problemAt(at, "a simple type that is no restriction, list or union");
    // A value of any of the members: there is nothing that could be said against one.
    type.value = findBuiltin("anySimpleType");
    return ok();
}

/// The type that an attribute names, else the one that is written inside.
Result<const Type*> Resolver::simpleBase(const Component& at, std::string_view attribute) {
    if (const std::string_view name = attributeOf(at.node, attribute); !name.empty()) return filled(at, name);
    const Element inner = childOf(at.node, "simpleType");
    if (!inner) return problemAt(at, "xs:" + std::string(at.node.local()) + " of nothing");
    const Type* type = anonymous({inner, at.document});
    fill(*anonymous_.at(&inner.node()));
    if (!type->problem.empty()) return Error::invalid(type->problem);
    return type;
}

Result<void> Resolver::readRestriction(Type& type, const Component& at) {
    auto base = simpleBase(at, "base");
    if (!base) return std::move(base).error();
    type.base = *base;
    type.value = (*base)->value;
    type.list = (*base)->list;
    if (!type.value) return problemAt(at, "the base of a simple type is not simple");
    for (Element each = at.node.firstChild(); each; each = each.next()) {
        if (!isSchemaElement(each, "enumeration") || type.enumeration.size() == mostEnumerators) continue;
        type.enumeration.emplace_back(attributeOf(each, "value"));
    }
    if (type.enumeration.empty()) type.enumeration = (*base)->enumeration;
    parts_ += type.enumeration.size();
    return parts_ > mostParts ? Result<void>(tooMany(at)) : ok();
}

Result<void> Resolver::readList(Type& type, const Component& at) {
    auto item = simpleBase(at, "itemType");
    if (!item) return std::move(item).error();
    type.list = true;
    type.value = (*item)->value;
    type.enumeration = (*item)->enumeration;
    if (!type.value) return problemAt(at, "the items of a list are not simple");
    return ok();
}

}  // namespace postbus::xsd
