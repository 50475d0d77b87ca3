#include "plugins/deployer/operation.hpp"

#include <set>
#include <string>
#include <string_view>

#include "plugins/tables/check.hpp"

namespace postbus::deployer {
namespace {

using tables::view;

constexpr std::uint32_t maxMembers = 10'000;
constexpr std::size_t maxText = std::size_t{1} << 20;

// Whether a text may be looked at: what it says is wsdl::validate()'s affair.
bool readable(postbus_str text) { return text.size == 0 || (text.data && text.size <= maxText); }

/// Walks a type and all it refers to once; types may refer to themselves.
class TypeCheck {
public:
    std::string check(const postbus_type& type) {
        if (!seen_.insert(&type).second) return {};
        if (type.size < sizeof(postbus_type)) return "a type's table is too small for this bus";
        if (!readable(type.name)) return "a type's name can't be read";
        const std::string who = "type " + std::string(view(type.name));
        std::string problem;
        if (type.kind == POSTBUS_KIND_ENUM)
            problem = checkValues(type);
        else if (type.kind == POSTBUS_KIND_STRUCT)
            problem = checkFields(type);
        else
            problem = "is neither a struct nor an enum";
        return problem.empty() ? problem : who + " " + problem;
    }

private:
    static std::string checkValues(const postbus_type& type) {
        if (type.value_count == 0 || type.value_count > maxMembers || !type.values) return "has no values, or too many";
        for (std::uint32_t i = 0; i < type.value_count; ++i)
            if (!readable(type.values[i])) return "has a value that can't be read";
        return {};
    }

    std::string checkFields(const postbus_type& type) {
        if (type.field_count == 0) return {};
        if (type.field_count > maxMembers || !type.fields) return "has no field table, or too many fields";
        if (type.field_size < sizeof(postbus_field)) return "has a field table that is too small for this bus";
        for (std::uint32_t i = 0; i < type.field_count; ++i) {
            const auto* at = reinterpret_cast<const char*>(type.fields) + std::size_t{i} * type.field_size;
            if (std::string problem = check(*reinterpret_cast<const postbus_field*>(at)); !problem.empty())
                return problem;
        }
        return {};
    }

    std::string check(const postbus_field& field) {
        if (!readable(field.name) || !readable(field.doc)) return "has a field whose name can't be read";
        const std::string who = "field " + std::string(view(field.name));
        if (field.kind < POSTBUS_KIND_STRING || field.kind > POSTBUS_KIND_STRUCT)
            return "has a " + who + " of kind " + std::to_string(field.kind) + ", which this bus does not know";
        if (field.kind != POSTBUS_KIND_ENUM && field.kind != POSTBUS_KIND_STRUCT) return {};
        if (!field.type) return "has a " + who + " without its type";
        if (std::string problem = check(*field.type); !problem.empty()) return "has a " + who + ": " + problem;
        if (field.type->kind != field.kind) return "has a " + who + " whose type is of another kind";
        return {};
    }

    std::set<const postbus_type*> seen_;
};

std::string check(const postbus_operation& table, const wsdl::Contract& contract) {
    for (const postbus_str text : {table.name, table.in_element, table.out_element, table.soap_action, table.doc})
        if (!readable(text)) return "has a text that can't be read";
    for (const auto& each : contract.operations)
        if (each.id == table.id) return "has the id of " + each.name;
    for (const postbus_type* type : {table.in, table.out}) {
        if (!type) continue;
        if (std::string problem = TypeCheck().check(*type); !problem.empty())
            return "has a type that is wrong: " + problem;
        if (type->kind != POSTBUS_KIND_STRUCT) return "has an input or output that is no struct";
    }
    return {};
}

}  // namespace

Result<wsdl::Operation> toOperation(const postbus_operation& table, const wsdl::Contract& contract) {
    if (table.size < sizeof(postbus_operation)) return Error::invalid("an operation's table is too small for this bus");
    if (std::string problem = check(table, contract); !problem.empty())
        return Error::invalid("operation " + std::string(readable(table.name) ? view(table.name) : "") + " " + problem);
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
    return made;
}

}  // namespace postbus::deployer
