#include "plugins/host/frames/description.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "plugins/host/frames/frame.hpp"

using postbus::Buffer;
using postbus::host::DescribedService;
using postbus::host::Description;
using postbus::host::firstFrame;

namespace {

postbus_str text(std::string_view said) { return {said.data(), said.size()}; }
std::string_view view(postbus_str said) { return {said.data, said.size}; }

/// A plugin's tables, as an author's SDK has them: a type that holds itself, and an enum.
struct Tables {
    std::vector<postbus_str> colours{text("red"), text("blue")};
    postbus_type colour{}, tree{};
    std::vector<postbus_field> fields;

    Tables() {
        colour.size = tree.size = sizeof(postbus_type);
        colour.kind = POSTBUS_KIND_ENUM;
        colour.name = text("Colour");
        colour.values = colours.data();
        colour.value_count = 2;
        fields = {{text("colour"), text("of its leaves"), POSTBUS_KIND_ENUM, 0, &colour},
                  {text("child"), {}, POSTBUS_KIND_STRUCT, POSTBUS_FIELD_LIST, &tree}};
        tree.kind = POSTBUS_KIND_STRUCT;
        tree.name = text("Tree");
        tree.fields = fields.data();
        tree.field_count = 2;
        tree.field_size = sizeof(postbus_field);
    }

    Description description() const {
        postbus_operation plant{};
        plant.size = sizeof plant;
        plant.id = 4;
        plant.flags = POSTBUS_OPERATION_NONBLOCKING;
        plant.mep = POSTBUS_MEP_IN_OUT;
        plant.name = text("plant");
        plant.in_element = text("plant");
        plant.out_element = text("plantResponse");
        plant.soap_action = text("");
        plant.in = &tree;
        postbus_operation any{};
        any.size = sizeof any;
        any.name = text("any");
        DescribedService garden{text("Garden"), text("urn:g"), text("1.1"), {}, text("GardenImpl"), text("Grows"), {}};
        garden.operations = {plant, any};
        Description made;
        made.plugin = text("garden");
        made.version = text("1.0");
        made.services = {garden, DescribedService{}};
        return made;
    }
};

std::string body(const Description& description) {
    Buffer wire;
    BOOST_REQUIRE(!!description.write(wire));
    const auto frame = firstFrame(wire.view());
    BOOST_REQUIRE((frame && *frame));
    return std::string((*frame)->body);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host_description)

BOOST_AUTO_TEST_CASE(brings_services_operations_and_types_across) {
    auto read = Description::read(body(Tables().description()));
    BOOST_REQUIRE(!!read);
    const Description description = std::move(*read);

    BOOST_TEST((view(description.plugin) == "garden" && view(description.version) == "1.0"));
    BOOST_REQUIRE(description.services.size() == 2u);
    const DescribedService& garden = description.services[0];
    BOOST_TEST((view(garden.name) == "Garden" && view(garden.ns) == "urn:g" && view(garden.version) == "1.1"));
    BOOST_TEST((view(garden.implementation) == "GardenImpl" && view(garden.doc) == "Grows"));
    BOOST_TEST(garden.path.data == nullptr);
    BOOST_REQUIRE(garden.operations.size() == 2u);
    const postbus_operation& plant = garden.operations[0];
    BOOST_TEST((plant.id == 4u && plant.flags == POSTBUS_OPERATION_NONBLOCKING && plant.mep == POSTBUS_MEP_IN_OUT));
    BOOST_TEST((view(plant.name) == "plant" && view(plant.out_element) == "plantResponse"));
    BOOST_TEST(plant.soap_action.data != nullptr);
    BOOST_TEST(plant.doc.data == nullptr);
    BOOST_TEST(plant.out == nullptr);
    BOOST_TEST(garden.operations[1].in_element.data == nullptr);

    const postbus_type* tree = plant.in;
    BOOST_REQUIRE(tree);
    BOOST_TEST((tree->kind == POSTBUS_KIND_STRUCT && view(tree->name) == "Tree"));
    BOOST_REQUIRE(tree->field_count == 2u);
    BOOST_TEST((view(tree->fields[0].name) == "colour" && view(tree->fields[0].doc) == "of its leaves"));
    BOOST_TEST(tree->fields[1].type == tree);
    BOOST_TEST(tree->fields[1].flags == POSTBUS_FIELD_LIST);
    const postbus_type* colour = tree->fields[0].type;
    BOOST_REQUIRE((colour && colour->value_count == 2u));
    BOOST_TEST((view(colour->values[0]) == "red" && view(colour->values[1]) == "blue"));
}

BOOST_AUTO_TEST_CASE(is_refused_when_it_is_cut_off_or_goes_on) {
    const std::string whole = body(Tables().description());
    for (std::size_t size = 0; size < whole.size(); ++size) BOOST_TEST(!Description::read(whole.substr(0, size)), size);
    BOOST_TEST(!Description::read(whole + '\0'));
}

BOOST_AUTO_TEST_CASE(survives_any_byte_of_another_value) {
    const std::string whole = body(Tables().description());
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const char value : {'\0', '\x01', '\x7F', '\xFF'}) {
            std::string damaged = whole;
            damaged[at] = value;
            const auto read = Description::read(damaged);
            if (!read) {
                ++refused;
                continue;
            }
            for (const auto& service : read->services)
                for (const auto& each : service.operations)
                    if (each.in) BOOST_TEST((each.in->field_count < whole.size()));
        }
    }
    BOOST_TEST(refused > 0u);
}

BOOST_AUTO_TEST_CASE(of_another_abi_says_what_to_do) {
    std::string other = body(Tables().description());
    other[0] = 2;
    const auto read = Description::read(other);
    BOOST_REQUIRE(!read);
    BOOST_TEST(read.error().message() == "the host speaks ABI 2, the bus 1; postbus-host and postbusd belong together");
}

BOOST_AUTO_TEST_CASE(has_no_more_types_than_can_be_followed) {
    std::vector<postbus_type> types(1'001);
    std::vector<postbus_field> links(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        types[i].size = sizeof(postbus_type);
        types[i].kind = links[i].kind = POSTBUS_KIND_STRUCT;
        types[i].name = links[i].name = text("next");
        types[i].fields = &links[i];
        types[i].field_size = sizeof(postbus_field);
        types[i].field_count = i + 1 < types.size() ? 1 : 0;
        links[i].type = i + 1 < types.size() ? &types[i + 1] : nullptr;
    }
    postbus_operation deep{};
    deep.size = sizeof deep;
    deep.in = types.data();
    Description description;
    description.services.resize(1);
    description.services[0].operations = {deep};

    Buffer wire;
    const auto tooMany = description.write(wire);
    BOOST_REQUIRE(!tooMany);
    BOOST_TEST(tooMany.error().message() == "has more than 1000 types, too many for a process of its own");
    BOOST_TEST(wire.empty());

    description.services[0].operations[0].in = &types[1];
    BOOST_TEST(!!description.write(wire));
}

BOOST_AUTO_TEST_CASE(is_no_larger_than_its_reader_has_memory_for) {
    const auto read = Description::read(std::string((std::size_t{4} << 20) + 1, '\0'));
    BOOST_REQUIRE(!read);
    BOOST_TEST((read.error().kind() == postbus::Error::Kind::TooLarge));
}

BOOST_AUTO_TEST_SUITE_END()
