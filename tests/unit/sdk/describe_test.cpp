#include <boost/test/unit_test.hpp>
#include <postbus/plugin.hpp>

#include <string_view>

namespace acme::billing {

struct Item {
    std::string text;
    static constexpr auto fields() { return std::tuple{postbus::field("text", &Item::text)}; }
};
template <class T, class U>
struct Page {
    std::vector<T> rows;
    static constexpr auto fields() { return std::tuple{postbus::field("row", &Page::rows, "In order.")}; }
};
struct Renamed {
    static constexpr std::string_view typeName = "renamed-item";
    static constexpr std::tuple<> fields() { return {}; }
};

}  // namespace acme::billing

namespace {

enum class Level { Low, High };
constexpr auto enumerators(Level) {
    return std::array{postbus::enumerator("low", Level::Low), postbus::enumerator("very high", Level::High)};
}

struct Tree {
    std::string label;
    std::optional<Level> level;
    std::vector<Tree> branches;
    static constexpr auto fields() {
        return std::tuple{postbus::field("label", &Tree::label), postbus::field("level", &Tree::level),
                          postbus::field("branch", &Tree::branches)};
    }
};

struct Kinds {
    std::string string;
    bool boolean;
    std::int8_t int8;
    short int16;
    int int32;
    long int64;
    long long alsoInt64;
    std::uint8_t uint8;
    unsigned short uint16;
    unsigned uint32;
    unsigned long uint64;
    float single;
    double number;
    postbus::Decimal decimal;
    postbus::DateTime dateTime;
    postbus::Base64 base64;
    Level level;
    Tree tree;
    static constexpr auto fields() {
        using postbus::field;
        return std::tuple{field("a", &Kinds::string),    field("b", &Kinds::boolean), field("c", &Kinds::int8),
                          field("d", &Kinds::int16),     field("e", &Kinds::int32),   field("f", &Kinds::int64),
                          field("g", &Kinds::alsoInt64), field("h", &Kinds::uint8),   field("i", &Kinds::uint16),
                          field("j", &Kinds::uint32),    field("k", &Kinds::uint64),  field("l", &Kinds::single),
                          field("m", &Kinds::number),    field("n", &Kinds::decimal), field("o", &Kinds::dateTime),
                          field("p", &Kinds::base64),    field("q", &Kinds::level),   field("r", &Kinds::tree)};
    }
};

using postbus::sdk::Description;
using postbus::sdk::typeName;
using postbus::sdk::view;

// Constant initialised: nothing runs when a plugin is loaded.
constinit const postbus_type* const treeType = &Description<Tree>::type;

}  // namespace

BOOST_AUTO_TEST_SUITE(describe)

BOOST_AUTO_TEST_CASE(a_struct_is_a_row_per_field_in_order) {
    BOOST_TEST(treeType->size == sizeof(postbus_type));
    BOOST_TEST(treeType->kind == POSTBUS_KIND_STRUCT);
    BOOST_TEST(view(treeType->name) == "Tree");
    BOOST_REQUIRE(treeType->field_count == 3u);
    BOOST_TEST(treeType->field_size == sizeof(postbus_field));
    BOOST_TEST(treeType->value_count == 0u);

    BOOST_TEST(view(treeType->fields[0].name) == "label");
    BOOST_TEST(treeType->fields[0].kind == POSTBUS_KIND_STRING);
    BOOST_TEST(treeType->fields[0].flags == 0u);
    BOOST_TEST(treeType->fields[0].type == nullptr);
    BOOST_TEST(treeType->fields[0].doc.data == nullptr);

    BOOST_TEST(treeType->fields[1].kind == POSTBUS_KIND_ENUM);
    BOOST_TEST(treeType->fields[1].flags == POSTBUS_FIELD_OPTIONAL);
}

BOOST_AUTO_TEST_CASE(a_type_may_hold_itself_by_vector) {
    BOOST_TEST(treeType->fields[2].kind == POSTBUS_KIND_STRUCT);
    BOOST_TEST(treeType->fields[2].flags == POSTBUS_FIELD_LIST);
    BOOST_TEST(treeType->fields[2].type == treeType);
}

BOOST_AUTO_TEST_CASE(an_enum_is_its_values) {
    const postbus_type* level = treeType->fields[1].type;
    BOOST_REQUIRE(level);
    BOOST_TEST(level->kind == POSTBUS_KIND_ENUM);
    BOOST_TEST(view(level->name) == "Level");
    BOOST_REQUIRE(level->value_count == 2u);
    BOOST_TEST(view(level->values[0]) == "low");
    BOOST_TEST(view(level->values[1]) == "very high");
    BOOST_TEST(level->field_count == 0u);
}

BOOST_AUTO_TEST_CASE(every_member_has_the_kind_of_its_width_and_sign) {
    const postbus_type& kinds = Description<Kinds>::type;
    const std::uint32_t expected[] = {
        POSTBUS_KIND_STRING, POSTBUS_KIND_BOOL,  POSTBUS_KIND_INT8,   POSTBUS_KIND_INT16,   POSTBUS_KIND_INT32,
        POSTBUS_KIND_INT64,  POSTBUS_KIND_INT64, POSTBUS_KIND_UINT8,  POSTBUS_KIND_UINT16,  POSTBUS_KIND_UINT32,
        POSTBUS_KIND_UINT64, POSTBUS_KIND_FLOAT, POSTBUS_KIND_DOUBLE, POSTBUS_KIND_DECIMAL, POSTBUS_KIND_DATETIME,
        POSTBUS_KIND_BASE64, POSTBUS_KIND_ENUM,  POSTBUS_KIND_STRUCT};
    BOOST_REQUIRE(kinds.field_count == std::size(expected));
    for (std::uint32_t i = 0; i < kinds.field_count; ++i) BOOST_TEST(kinds.fields[i].kind == expected[i]);
}

BOOST_AUTO_TEST_CASE(a_type_is_named_without_namespaces_and_brackets) {
    BOOST_TEST(typeName<acme::billing::Item>() == "Item");
    BOOST_TEST((typeName<acme::billing::Page<acme::billing::Item, int>>() == "Page_Item_int"));
    BOOST_TEST((typeName<acme::billing::Page<acme::billing::Page<Tree, int>, Level>>() == "Page_Page_Tree_int_Level"));
    BOOST_TEST(typeName<acme::billing::Renamed>() == "renamed-item");
    struct Local {};
    BOOST_TEST(typeName<Local>() == "Local");
}

BOOST_AUTO_TEST_CASE(documentation_comes_along) {
    const postbus_type& page = Description<acme::billing::Page<acme::billing::Item, int>>::type;
    BOOST_TEST(view(page.fields[0].doc) == "In order.");
}

BOOST_AUTO_TEST_CASE(a_namespace_follows_the_scope_inside_out) {
    using postbus::sdk::defaultNamespace;
    BOOST_TEST(defaultNamespace("acme::billing::Invoices").view() == "http://billing.acme/");
    BOOST_TEST(defaultNamespace("acme::Invoices").view() == "http://acme/");
    BOOST_TEST(defaultNamespace("Invoices").view() == "http://unknown.namespace/");
    BOOST_TEST(defaultNamespace("acme::{anonymous}::Invoices").view() == "http://acme/");
    BOOST_TEST(defaultNamespace("(anonymous namespace)::Invoices").view() == "http://unknown.namespace/");
}

BOOST_AUTO_TEST_CASE(a_plugin_is_named_after_its_service) {
    using postbus::sdk::kebabName;
    BOOST_TEST(kebabName("HelloWorld").view() == "hello-world");
    BOOST_TEST(kebabName("HTTPProxy").view() == "http-proxy");
    BOOST_TEST(kebabName("Echo2").view() == "echo2");
    BOOST_TEST(kebabName("my_service.v1").view() == "my-service-v1");
    BOOST_TEST(kebabName("ABC").view() == "abc");
}

BOOST_AUTO_TEST_SUITE_END()
