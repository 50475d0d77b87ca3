#include "plugins/deployer/operation.hpp"

#include <set>
#include <string>
#include <string_view>

#include "plugins/tables/check.hpp"

namespace postbus::deployer {
namespace {

using tables::view;

constexpr std::uint32_t maxFields = 10'000;

// An NCName (Namespaces in XML 1.0, section 3), roughly: ASCII is checked, other characters are the XML layer's affair.
bool nameLike(std::string_view name) {
    if (name.empty() || name.size() > 1024) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        const bool inner = (c >= '0' && c <= '9') || c == '-' || c == '.';
        if (!letter && !(inner && i > 0)) return false;
    }
    return true;
}

/// Walks a type and all it refers to once; types may refer to themselves.
class TypeCheck {
public:
    std::string check(const postbus_type& type) {
        if (!seen_.insert(&type).second) return {};
        if (type.size < sizeof(postbus_type)) return "a type's table is too small for this bus";
        const std::string who = "type " + std::string(view(type.name));
        if (!nameLike(view(type.name))) return who + ": this is no XML name";
        if (type.kind == POSTBUS_KIND_ENUM) {
            if (type.value_count == 0 || type.value_count > maxFields || !type.values) return who + " has no values";
            return {};
        }
        if (type.kind != POSTBUS_KIND_STRUCT) return who + " is neither a struct nor an enum";
        if (type.field_count > maxFields || (type.field_count && !type.fields)) return who + " has no field table";
        if (type.field_count && type.field_size < sizeof(postbus_field))
            return who + ": its field table is too small for this bus";
        for (std::uint32_t i = 0; i < type.field_count; ++i) {
            const auto* at = reinterpret_cast<const char*>(type.fields) + std::size_t{i} * type.field_size;
            if (std::string problem = check(*reinterpret_cast<const postbus_field*>(at)); !problem.empty())
                return who + ": " + problem;
        }
        return {};
    }

private:
    std::string check(const postbus_field& field) {
        const std::string who = "field " + std::string(view(field.name));
        if (!nameLike(view(field.name))) return who + ": this is no XML name";
        if (field.kind < POSTBUS_KIND_STRING || field.kind > POSTBUS_KIND_STRUCT)
            return who + " has kind " + std::to_string(field.kind) + ", which this bus does not know";
        if (field.kind != POSTBUS_KIND_ENUM && field.kind != POSTBUS_KIND_STRUCT) return {};
        if (!field.type) return who + " has no type";
        if (field.type->size >= sizeof(postbus_type) && field.type->kind != field.kind)
            return who + " and its type are of different kinds";
        return check(*field.type);
    }

    std::set<const postbus_type*> seen_;
};

std::string checkAgainst(const wsdl::Operation& made, const wsdl::Contract& contract) {
    for (const auto& each : contract.operations) {
        if (each.id == made.id) return "has the id of " + each.name;
        if (each.name == made.name) return "is defined twice";
        if (each.any && made.any) return "takes what no other operation takes, as " + each.name + " does already";
        if (!made.any && !each.any && each.inElement == made.inElement)
            return "takes the element " + made.inElement + ", as " + each.name + " does already";
    }
    return {};
}

std::string check(const wsdl::Operation& made) {
    if (!nameLike(made.name)) return "has a name that is no XML name";
    if (made.mep < POSTBUS_MEP_IN_ONLY || made.mep > POSTBUS_MEP_IN_OPTIONAL_OUT)
        return "has an exchange pattern that this bus does not know: " + std::to_string(made.mep);
    if (!made.any && !nameLike(made.inElement)) return "has an input element that is no XML name";
    if (!made.outElement.empty() && !nameLike(made.outElement)) return "has an output element that is no XML name";
    for (const postbus_type* type : {made.in, made.out}) {
        if (!type) continue;
        if (std::string problem = TypeCheck().check(*type); !problem.empty()) return problem;
        if (type->kind != POSTBUS_KIND_STRUCT) return "has an input or output that is no struct";
    }
    return {};
}

}  // namespace

Result<wsdl::Operation> toOperation(const postbus_operation& table, const wsdl::Contract& contract) {
    if (table.size < sizeof(postbus_operation)) return Error::invalid("an operation's table is too small for this bus");
    wsdl::Operation made;
    made.name = view(table.name);
    made.id = table.id;
    made.nonblocking = (table.flags & POSTBUS_OPERATION_NONBLOCKING) != 0;
    made.any = (table.flags & POSTBUS_OPERATION_ANY) != 0;
    made.mep = table.mep;
    made.inElement = view(table.in_element);
    made.outElement = view(table.out_element);
    made.soapAction = view(table.soap_action);
    made.doc = view(table.doc);
    made.in = table.in;
    made.out = table.out;

    std::string problem = check(made);
    if (problem.empty()) problem = checkAgainst(made, contract);
    if (!problem.empty()) return Error::invalid("operation " + made.name + " " + problem);
    return made;
}

}  // namespace postbus::deployer
