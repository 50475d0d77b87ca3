#include <boost/test/unit_test.hpp>

#include "formats/xsd/schema.hpp"

using namespace postbus;

namespace {

constexpr postbus_str str(std::string_view text) { return {text.data(), text.size()}; }
constexpr postbus_field field(std::string_view name, std::uint32_t kind, std::uint32_t flags = 0,
                              const postbus_type* type = nullptr) {
    return {str(name), {nullptr, 0}, kind, flags, type};
}
constexpr postbus_type structOf(std::string_view name, const postbus_field* fields, std::uint32_t count) {
    return {sizeof(postbus_type), POSTBUS_KIND_STRUCT, str(name), fields, nullptr, count, sizeof(postbus_field), 0};
}
constexpr postbus_type enumOf(std::string_view name, const postbus_str* values, std::uint32_t count) {
    return {sizeof(postbus_type), POSTBUS_KIND_ENUM, str(name), nullptr, values, 0, 0, count};
}

std::string written(const xsd::Schema& schema) {
    xsd::Markup out;
    schema.write(out, "urn:example");
    return std::move(out).take();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string problemsOf(std::string_view name, const postbus_type& type) {
    xsd::Schema schema;
    schema.element(name, &type);
    std::string all;
    for (const std::string& each : schema.problems()) all += each + "\n";
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(xsd_schema)

BOOST_AUTO_TEST_CASE(every_kind_has_its_schema_type) {
    static constexpr postbus_field fields[] = {
        field("s", POSTBUS_KIND_STRING),   field("b", POSTBUS_KIND_BOOL),     field("i8", POSTBUS_KIND_INT8),
        field("i16", POSTBUS_KIND_INT16),  field("i32", POSTBUS_KIND_INT32),  field("i64", POSTBUS_KIND_INT64),
        field("u8", POSTBUS_KIND_UINT8),   field("u16", POSTBUS_KIND_UINT16), field("u32", POSTBUS_KIND_UINT32),
        field("u64", POSTBUS_KIND_UINT64), field("f", POSTBUS_KIND_FLOAT),    field("d", POSTBUS_KIND_DOUBLE),
        field("n", POSTBUS_KIND_DECIMAL),  field("t", POSTBUS_KIND_DATETIME), field("x", POSTBUS_KIND_BASE64)};
    static constexpr postbus_type type = structOf("All", fields, std::size(fields));
    xsd::Schema schema;

    schema.element("all", &type);

    BOOST_TEST(schema.problems().empty());
    const std::string text = written(schema);
    for (const auto& [name, its] : std::initializer_list<std::pair<std::string, std::string>>{{"s", "string"},
                                                                                              {"b", "boolean"},
                                                                                              {"i8", "byte"},
                                                                                              {"i16", "short"},
                                                                                              {"i32", "int"},
                                                                                              {"i64", "long"},
                                                                                              {"u8", "unsignedByte"},
                                                                                              {"u16", "unsignedShort"},
                                                                                              {"u32", "unsignedInt"},
                                                                                              {"u64", "unsignedLong"},
                                                                                              {"f", "float"},
                                                                                              {"d", "double"},
                                                                                              {"n", "decimal"},
                                                                                              {"t", "dateTime"},
                                                                                              {"x", "base64Binary"}})
        BOOST_TEST(has(text, "<xs:element name=\"" + name + "\" type=\"xs:" + its + "\"/>"), name);
}

BOOST_AUTO_TEST_CASE(optional_fields_and_lists_say_how_often_they_occur) {
    static constexpr postbus_field fields[] = {field("must", POSTBUS_KIND_STRING),
                                               field("may", POSTBUS_KIND_STRING, POSTBUS_FIELD_OPTIONAL),
                                               field("many", POSTBUS_KIND_INT32, POSTBUS_FIELD_LIST)};
    static constexpr postbus_type type = structOf("T", fields, 3);
    xsd::Schema schema;

    schema.element("e", &type);

    const std::string text = written(schema);
    BOOST_TEST(has(text, R"(<xs:element name="must" type="xs:string"/>)"));
    BOOST_TEST(has(text, R"(<xs:element name="may" type="xs:string" minOccurs="0"/>)"));
    BOOST_TEST(has(text, R"(<xs:element name="many" type="xs:int" minOccurs="0" maxOccurs="unbounded"/>)"));
}

BOOST_AUTO_TEST_CASE(nested_types_and_enums_stand_once_by_name) {
    static constexpr postbus_str colours[] = {str("red"), str("<green>")};
    static constexpr postbus_type colour = enumOf("Colour", colours, 2);
    static constexpr postbus_field innerFields[] = {field("colour", POSTBUS_KIND_ENUM, 0, &colour)};
    static constexpr postbus_type inner = structOf("Inner", innerFields, 1);
    static constexpr postbus_field outerFields[] = {field("a", POSTBUS_KIND_STRUCT, 0, &inner),
                                                    field("b", POSTBUS_KIND_STRUCT, POSTBUS_FIELD_LIST, &inner)};
    static constexpr postbus_type outer = structOf("Outer", outerFields, 2);
    xsd::Schema schema;

    schema.element("put", &outer);

    BOOST_TEST(schema.problems().empty());
    const std::string text = written(schema);
    BOOST_TEST(has(text, R"(<xs:complexType name="put">)"));
    BOOST_TEST(has(text, R"(<xs:element name="a" type="tns:Inner"/>)"));
    BOOST_TEST(has(text, R"(<xs:enumeration value="&lt;green>"/>)"));
    BOOST_TEST(text.find("name=\"Inner\"") == text.rfind("name=\"Inner\""));
    BOOST_TEST(!has(text, "Outer"));  // the wrapper goes by its element's name
}

BOOST_AUTO_TEST_CASE(a_recursive_type_ends) {
    static postbus_field fields[2];
    static postbus_type node = structOf("Node", fields, 2);
    fields[0] = field("value", POSTBUS_KIND_STRING);
    fields[1] = field("child", POSTBUS_KIND_STRUCT, POSTBUS_FIELD_LIST, &node);
    xsd::Schema schema;

    schema.element("tree", &node);
    schema.element("forest", &node);

    BOOST_TEST(schema.problems().empty());
    BOOST_TEST(has(written(schema), R"(<xs:complexType name="Node">)"));
}

BOOST_AUTO_TEST_CASE(the_same_type_described_twice_is_one_and_another_of_its_name_is_refused) {
    static constexpr postbus_field text[] = {field("x", POSTBUS_KIND_STRING)};
    static constexpr postbus_field number[] = {field("x", POSTBUS_KIND_INT32)};
    static constexpr postbus_type a = structOf("Same", text, 1), b = structOf("Same", text, 1),
                                  c = structOf("Same", number, 1);
    static constexpr postbus_field twice[] = {field("a", POSTBUS_KIND_STRUCT, 0, &a),
                                              field("b", POSTBUS_KIND_STRUCT, 0, &b)};
    static constexpr postbus_field clash[] = {field("a", POSTBUS_KIND_STRUCT, 0, &a),
                                              field("c", POSTBUS_KIND_STRUCT, 0, &c)};

    BOOST_TEST(problemsOf("e", structOf("E", twice, 2)) == "");
    BOOST_TEST(problemsOf("e", structOf("E", clash, 2)) == "two different types are named 'Same'\n");
}

BOOST_AUTO_TEST_CASE(a_type_that_has_an_elements_name_must_be_that_elements_type) {
    static constexpr postbus_field text[] = {field("x", POSTBUS_KIND_STRING)};
    static constexpr postbus_type nested = structOf("put", text, 1);
    static constexpr postbus_field outer[] = {field("put", POSTBUS_KIND_STRUCT, 0, &nested)};

    BOOST_TEST(problemsOf("put", structOf("Put", outer, 1)) == "two different types are named 'put'\n");
    BOOST_TEST(problemsOf("other", structOf("Put", outer, 1)) == "");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_description_is_said_with_its_place) {
    static constexpr postbus_field bad[] = {field("a b", POSTBUS_KIND_STRING), field("x", POSTBUS_KIND_STRUCT),
                                            field("x", POSTBUS_KIND_STRING), field("y", 99)};
    static constexpr postbus_type empty = enumOf("Empty", nullptr, 0);
    static constexpr postbus_field wrong[] = {field("e", POSTBUS_KIND_ENUM, 0, &empty),
                                              field("f", POSTBUS_KIND_STRUCT, 0, &empty)};

    BOOST_TEST(problemsOf("e", structOf("E", bad, 4)) ==
               "type 'e', field 'a b': not an XML name without a colon\n"
               "type 'e', field 'x': its type is not described\n"
               "type 'e': field 'x' stands twice\n"
               "type 'e', field 'y': kind 99 is not known to this bus\n");
    BOOST_TEST(problemsOf("e", structOf("E", wrong, 2)) ==
               "enum 'Empty' has no values\n"
               "type 'e', field 'f': its type is of another kind than it says\n");
    BOOST_TEST(problemsOf("p:e", structOf("E", nullptr, 0)) == "element 'p:e': not an XML name without a colon\n");
    BOOST_TEST(problemsOf("e", empty) == "element 'e': its type must be a struct\n");
}

BOOST_AUTO_TEST_CASE(fields_are_found_by_the_stride_the_plugin_was_compiled_with) {
    struct Larger {
        postbus_field field;
        std::uint64_t later;
    };
    static const Larger fields[] = {{field("a", POSTBUS_KIND_STRING), 1}, {field("b", POSTBUS_KIND_BOOL), 2}};
    static const postbus_type type{
        sizeof(postbus_type), POSTBUS_KIND_STRUCT, str("T"), &fields[0].field, nullptr, 2, sizeof(Larger), 0};
    xsd::Schema schema;

    schema.element("e", &type);

    BOOST_TEST(has(written(schema), R"(<xs:element name="b" type="xs:boolean"/>)"));
}

BOOST_AUTO_TEST_CASE(an_element_that_is_not_described_takes_any_content) {
    xsd::Schema schema;

    schema.element("raw", nullptr);

    BOOST_TEST(has(written(schema), R"(<xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/>)"));
}

BOOST_AUTO_TEST_SUITE_END()
