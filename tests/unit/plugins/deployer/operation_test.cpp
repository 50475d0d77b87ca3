#include <boost/test/unit_test.hpp>

#include "plugins/deployer/operation.hpp"

using namespace postbus;
using namespace postbus::deployer;

namespace {

postbus_str str(const char* text) { return {text, std::string_view(text).size()}; }

/// An operation with nothing wrong, to be spoilt.
struct Table {
    postbus_str values[2] = {str("red"), str("green")};
    postbus_type colour{sizeof(postbus_type), POSTBUS_KIND_ENUM, str("colour"), nullptr, values, 0, 0, 2};
    postbus_field fields[2] = {{str("name"), {}, POSTBUS_KIND_STRING, 0, nullptr},
                               {str("colour"), {}, POSTBUS_KIND_ENUM, POSTBUS_FIELD_OPTIONAL, &colour}};
    postbus_type in{
        sizeof(postbus_type), POSTBUS_KIND_STRUCT, str("ask"), fields, nullptr, 2, sizeof(postbus_field), 0};
    postbus_operation operation{sizeof(postbus_operation),
                                7,
                                POSTBUS_OPERATION_NONBLOCKING,
                                POSTBUS_MEP_IN_OUT,
                                str("ask"),
                                str("ask"),
                                str("askResponse"),
                                {},
                                {},
                                &in,
                                nullptr};
    wsdl::Contract contract;

    std::string problem() const {
        const auto made = toOperation(operation, contract);
        return made ? "" : made.error().message();
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(operation_tables)

BOOST_AUTO_TEST_CASE(a_good_one_is_taken_over) {
    Table table;
    const auto made = toOperation(table.operation, table.contract);
    BOOST_REQUIRE(made);
    BOOST_TEST(made->name == "ask");
    BOOST_TEST(made->id == 7u);
    BOOST_TEST(made->nonblocking);
    BOOST_TEST(!made->any);
    BOOST_TEST(made->inElement == "ask");
    BOOST_TEST(made->outElement == "askResponse");
    BOOST_TEST(made->in == &table.in);
}

BOOST_AUTO_TEST_CASE(a_type_that_contains_itself_is_no_trouble) {
    Table table;
    table.fields[1] = {str("child"), {}, POSTBUS_KIND_STRUCT, POSTBUS_FIELD_LIST, &table.in};
    BOOST_TEST(table.problem() == "");
}

BOOST_AUTO_TEST_CASE(later_versions_with_larger_tables_are_read_by_their_stride) {
    struct Larger {
        postbus_field field;
        std::uint64_t more;
    };
    Table table;
    Larger larger[2] = {{table.fields[0], ~0ull}, {table.fields[1], ~0ull}};
    table.in.fields = &larger[0].field;
    table.in.field_size = sizeof(Larger);
    BOOST_TEST(table.problem() == "");
}

BOOST_AUTO_TEST_CASE(what_can_not_be_read_is_refused) {
    Table small;
    small.operation.size = 8;
    BOOST_TEST(small.problem() == "an operation's table is too small for this bus");
    Table name;
    name.operation.name = {nullptr, 4};
    BOOST_TEST(name.problem() == "operation  has a text that can't be read");
    Table type;
    type.in.size = 4;
    BOOST_TEST(type.problem() == "operation ask has a type that is wrong: a type's table is too small for this bus");
    Table fields;
    fields.in.fields = nullptr;
    BOOST_TEST(fields.problem() ==
               "operation ask has a type that is wrong: type ask has no field table, or too many fields");
    Table stride;
    stride.in.field_size = 8;
    BOOST_TEST(stride.problem() ==
               "operation ask has a type that is wrong: type ask has a field table that is too small for this bus");
    Table kind;
    kind.fields[0].kind = 99;
    BOOST_TEST(kind.problem() ==
               "operation ask has a type that is wrong: type ask has a field name of kind 99, which "
               "this bus does not know");
    Table untyped;
    untyped.fields[1].type = nullptr;
    BOOST_TEST(untyped.problem() ==
               "operation ask has a type that is wrong: type ask has a field colour without its type");
    Table mixed;
    mixed.fields[1].kind = POSTBUS_KIND_STRUCT;
    BOOST_TEST(mixed.problem() ==
               "operation ask has a type that is wrong: type ask has a field colour whose type is of another kind");
    Table values;
    values.colour.values = nullptr;
    BOOST_TEST(values.problem().find("has no values, or too many") != std::string::npos);
    Table value;
    value.values[1] = {nullptr, 3};
    BOOST_TEST(value.problem().find("has a value that can't be read") != std::string::npos);
    Table top;
    top.operation.in = &top.colour;
    BOOST_TEST(top.problem() == "operation ask has an input or output that is no struct");
}

BOOST_AUTO_TEST_CASE(an_id_is_given_once) {
    Table table;
    table.contract.operations.push_back(*toOperation(table.operation, table.contract));
    table.operation.name = str("tell");
    BOOST_TEST(table.problem() == "operation tell has the id of ask");
}

BOOST_AUTO_TEST_SUITE_END()
