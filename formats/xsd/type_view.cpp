#include "formats/xsd/type_view.hpp"

#include <set>
#include <utility>

namespace postbus::xsd {
namespace {

using Pairs = std::set<std::pair<const postbus_type*, const postbus_type*>>;

// A pair that is being compared further up counts as equal: a recursive type would never end otherwise.
bool same(const postbus_type* a, const postbus_type* b, Pairs& seen) {
    if (a == b) return true;
    if (!a || !b || !seen.emplace(a, b).second) return a && b;
    if (a->kind != b->kind) return false;
    if (a->kind == POSTBUS_KIND_ENUM) {
        if (a->value_count != b->value_count) return false;
        for (std::uint32_t i = 0; i < a->value_count; ++i)
            if (view(a->values[i]) != view(b->values[i])) return false;
        return true;
    }
    if (a->field_count != b->field_count) return false;
    for (std::uint32_t i = 0; i < a->field_count; ++i) {
        const postbus_field& x = fieldAt(*a, i);
        const postbus_field& y = fieldAt(*b, i);
        if (view(x.name) != view(y.name) || x.kind != y.kind || x.flags != y.flags || !same(x.type, y.type, seen))
            return false;
        if (x.type && view(x.type->name) != view(y.type->name)) return false;
    }
    return true;
}

}  // namespace

std::string_view builtIn(std::uint32_t kind) {
    switch (kind) {
        case POSTBUS_KIND_STRING:
            return "xs:string";
        case POSTBUS_KIND_BOOL:
            return "xs:boolean";
        case POSTBUS_KIND_INT8:
            return "xs:byte";
        case POSTBUS_KIND_INT16:
            return "xs:short";
        case POSTBUS_KIND_INT32:
            return "xs:int";
        case POSTBUS_KIND_INT64:
            return "xs:long";
        case POSTBUS_KIND_UINT8:
            return "xs:unsignedByte";
        case POSTBUS_KIND_UINT16:
            return "xs:unsignedShort";
        case POSTBUS_KIND_UINT32:
            return "xs:unsignedInt";
        case POSTBUS_KIND_UINT64:
            return "xs:unsignedLong";
        case POSTBUS_KIND_FLOAT:
            return "xs:float";
        case POSTBUS_KIND_DOUBLE:
            return "xs:double";
        case POSTBUS_KIND_DECIMAL:
            return "xs:decimal";
        case POSTBUS_KIND_DATETIME:
            return "xs:dateTime";
        case POSTBUS_KIND_BASE64:
            return "xs:base64Binary";
        default:
            return {};
    }
}

bool sameType(const postbus_type* a, const postbus_type* b) {
    Pairs seen;
    return same(a, b, seen);
}

}  // namespace postbus::xsd
