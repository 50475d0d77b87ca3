#include "config/describe.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/config/sample.hpp"

using postbus::config::describe;
using postbus::config::Described;
using postbus::config::DescribedField;
using Kind = Described::Kind;

namespace {

const DescribedField& fieldOf(const Described& type, std::string_view name) {
    for (const DescribedField& each : type.fields)
        if (each.name == name) return each;
    BOOST_FAIL("no field " << name);
    return type.fields.front();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(description)

BOOST_AUTO_TEST_CASE(has_each_type_and_its_default_as_yaml) {
    const Described root = describe<sample::Root>();

    BOOST_TEST((fieldOf(root, "text").type.kind == Kind::Text));
    BOOST_TEST(*fieldOf(root, "text").initial == "default");
    BOOST_TEST((fieldOf(root, "pause").type.kind == Kind::Duration));
    BOOST_TEST(*fieldOf(root, "pause").initial == "5s");
    BOOST_TEST((fieldOf(root, "size").type.kind == Kind::Size));
    BOOST_TEST(*fieldOf(root, "size").initial == "512");
    BOOST_TEST((fieldOf(root, "colours").type.kind == Kind::List));
    BOOST_TEST((fieldOf(root, "colours").type.element.front().kind == Kind::Choice));
    BOOST_TEST(*fieldOf(root, "colours").initial == "[green]");
    BOOST_TEST(fieldOf(root, "big").type.least == "-9223372036854775808");
    BOOST_TEST(*fieldOf(root, "queues").initial == "[unnamed]");
}

BOOST_AUTO_TEST_CASE(leads_into_structs_lists_and_mappings) {
    const Described root = describe<sample::Root>();

    const DescribedField& plain = fieldOf(root, "plain");
    BOOST_TEST(plain.type.isStruct());
    BOOST_TEST(!plain.initial);
    BOOST_TEST((fieldOf(plain.type, "flag").type.kind == Kind::Boolean));
    const DescribedField& maybe = fieldOf(root, "maybe");
    BOOST_TEST(maybe.type.optional);
    BOOST_TEST(!maybe.initial);
    BOOST_TEST(maybe.type.identity == plain.type.identity);
    const Described& named = fieldOf(root, "named").type;
    BOOST_TEST((named.kind == Kind::Named));
    BOOST_TEST(named.element.front().shorthand == "name");
    BOOST_TEST(fieldOf(named.element.front(), "depth").type.most == "65535");
}

BOOST_AUTO_TEST_SUITE_END()
