#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <thread>

#include "deploy_folder.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::PluginState;

namespace {

fs::path built(const std::string& name) { return fs::path(POSTBUS_TEST_PLUGINS) / name; }

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// The contract that the one service serves by.
const wsdl::Contract* contractOf(const DeployFolder& place, std::vector<deployer::ActiveService>& held) {
    held = place.deployer->services();
    return held.size() == 1 ? &held[0].endpoint->contract() : nullptr;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contract_files)

BOOST_AUTO_TEST_CASE(a_contract_beside_the_plugin_comes_with_the_schemas_it_refers_to) {
    DeployFolder place;
    copyOver(built("first.wsdl"), place.folder / "stock.wsdl");
    copyOver(built("first.xsd"), place.folder / "first.xsd");
    write(place.folder / "unrelated.xsd", "<a/>");
    copyOver(built("first.so"), place.folder / "stock.so");

    place.start();

    std::vector<deployer::ActiveService> held;
    const wsdl::Contract* contract = contractOf(place, held);
    BOOST_REQUIRE(contract);
    BOOST_TEST(contract->document == content(built("first.wsdl")));
    BOOST_REQUIRE(contract->documents.size() == 1u);
    BOOST_TEST(contract->documents.at("first.xsd") == content(built("first.xsd")));
}

BOOST_AUTO_TEST_CASE(a_schema_that_changes_or_comes_later_is_served_anew) {
    DeployFolder place;
    copyOver(built("first.wsdl"), place.folder / "first.wsdl");
    copyOver(built("first.so"), place.folder / "first.so");
    place.start();
    std::vector<deployer::ActiveService> held;
    BOOST_REQUIRE(contractOf(place, held));
    BOOST_TEST(contractOf(place, held)->documents.empty());

    copyOver(built("first.xsd"), place.folder / "first.xsd");
    BOOST_TEST(eventually([&] {
        const wsdl::Contract* contract = contractOf(place, held);
        return contract && contract->documents.count("first.xsd") == 1;
    }));
    const std::string changed = content(built("first.xsd")) + "<!-- changed -->";
    write(place.folder / "first.xsd", changed);
    BOOST_TEST(eventually([&] {
        const wsdl::Contract* contract = contractOf(place, held);
        return contract && contract->documents.count("first.xsd") && contract->documents.at("first.xsd") == changed;
    }));
    held.clear();
}

BOOST_AUTO_TEST_CASE(a_contract_deleted_and_brought_again_in_time_changes_nothing) {
    DeployFolder place;
    place.options.quiet = milliseconds(1000);  // plenty for a machine that is busy with other things
    for (const char* file : {"first.so", "first.wsdl", "first.xsd"}) copyOver(built(file), place.folder / file);
    place.start();
    std::vector<deployer::ActiveService> held;
    BOOST_REQUIRE(contractOf(place, held));
    const auto endpoint = held[0].endpoint;

    fs::remove(place.folder / "first.wsdl");
    std::this_thread::sleep_for(milliseconds(120));
    copyOver(built("first.wsdl"), place.folder / "first.wsdl");
    std::this_thread::sleep_for(milliseconds(1'800));

    BOOST_REQUIRE(contractOf(place, held));
    BOOST_TEST((held[0].endpoint == endpoint));

    fs::remove(place.folder / "first.wsdl");
    BOOST_TEST(eventually([&] {
        const wsdl::Contract* contract = contractOf(place, held);
        return contract && contract->document.empty();
    }));
    held.clear();
}

BOOST_AUTO_TEST_CASE(a_contract_that_is_spoilt_leaves_what_serves) {
    DeployFolder place;
    for (const char* file : {"first.so", "first.wsdl", "first.xsd"}) copyOver(built(file), place.folder / file);
    place.start();
    Log log;
    write(place.folder / "first.wsdl", "<definitions><types></definitions>");

    BOOST_TEST(place.reasonOf("first.so", PluginState::Failed).has_value());
    BOOST_TEST(log.count("plugin.failed") == 1u);
    std::vector<deployer::ActiveService> held;
    BOOST_REQUIRE(contractOf(place, held));
    BOOST_TEST(contractOf(place, held)->document == content(built("first.wsdl")));
    held.clear();
}

BOOST_AUTO_TEST_CASE(a_contract_that_cannot_be_served_fails_the_plugin_and_says_why) {
    DeployFolder place;
    write(place.folder / "first.wsdl", "<definitions><types></definitions>");
    copyOver(built("first.so"), place.folder / "first.so");

    place.start();

    const auto failed = place.reasonOf("first.so", PluginState::Failed);
    BOOST_REQUIRE(failed);
    BOOST_TEST(failed->find("can't be described: the contract: line 1") != std::string::npos, *failed);
}

BOOST_AUTO_TEST_SUITE_END()
