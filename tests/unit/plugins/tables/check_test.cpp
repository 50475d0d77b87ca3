#include <boost/test/unit_test.hpp>

#include "plugins/tables/check.hpp"

using namespace postbus;

namespace {

postbus_str str(const char* text) { return {text, std::string_view(text).size()}; }

void* create(const postbus_host*, postbus_service_context*) { return nullptr; }
int start(void*) { return 0; }
void handle(void*, postbus_call*) {}
void nothing(void*) {}

/// A plugin with nothing wrong, to be spoilt.
struct Plugin {
    postbus_service first{sizeof(postbus_service),
                          str("First"),
                          str("urn:first"),
                          {},
                          {},
                          {},
                          {},
                          create,
                          start,
                          handle,
                          nothing,
                          nothing,
                          nullptr};
    postbus_service second = first;
    const postbus_service* services[2] = {&first, &second};
    postbus_plugin table{
        sizeof(postbus_plugin), POSTBUS_ABI_MAJOR, POSTBUS_ABI_MINOR, str("good-1"), str("1.0.0"), services, 2};

    Plugin() { second.name = str("Second"); }
    std::string check() const { return tables::check(&table); }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_tables)

BOOST_AUTO_TEST_CASE(a_good_plugin_passes) {
    Plugin plugin;
    BOOST_TEST(plugin.check() == "");
    plugin.table.abi_minor = 99;  // additions only: as good to us as ours
    plugin.table.size += 64;
    BOOST_TEST(plugin.check() == "");
}

BOOST_AUTO_TEST_CASE(nothing_and_tables_too_small_are_refused) {
    BOOST_TEST(tables::check(nullptr) == "its entry returned no table");
    Plugin plugin;
    plugin.table.size = sizeof(postbus_plugin) - 1;
    BOOST_TEST(has(plugin.check(), "its table is"));
    Plugin service;
    service.first.size = 8;
    BOOST_TEST(has(service.check(), "a service table is 8 bytes"));
    Plugin none;
    none.services[1] = nullptr;
    BOOST_TEST(none.check() == "service 1 has no table");
}

BOOST_AUTO_TEST_CASE(another_major_version_is_refused_with_the_remedy) {
    Plugin plugin;
    plugin.table.abi_major = 2;
    BOOST_TEST(has(plugin.check(), "version 2 of the plugin interface, this bus version 1"));
}

BOOST_AUTO_TEST_CASE(names_that_could_break_out_are_refused) {
    for (const char* bad : {"", "a b", "a/b", "..", "caf\xc3\xa9", "a\nb", "<x>"}) {
        Plugin plugin, service;
        plugin.table.name = str(bad);
        BOOST_TEST(has(plugin.check(), "the plugin name"), bad);
        service.first.name = str(bad);
        BOOST_TEST(has(service.check(), "the service name"), bad);
    }
    Plugin missing;
    missing.first.name = {nullptr, 5};
    BOOST_TEST(has(missing.check(), "the service name"));
    Plugin version;
    version.table.version = str("1\n2");
    BOOST_TEST(has(version.check(), "its version"));
}

BOOST_AUTO_TEST_CASE(paths_follow_the_name_or_the_rules) {
    Plugin plugin;
    BOOST_TEST(tables::pathOf(plugin.first) == "/cxf/First");
    for (const char* good : {"/", "/a", "/a/", "/cxf/HelloWorld", "/a.b/c-d"}) {
        plugin.first.path = str(good);
        BOOST_TEST(plugin.check() == "", good);
    }
    for (const char* bad : {"a", "a/b", "//", "/a//b", "/a/../b", "/.", "/a b", "/a?b", "/a#b", "/a%2f", "/a\x01"}) {
        plugin.first.path = str(bad);
        BOOST_TEST(has(plugin.check(), "has the path"), bad);
    }
}

BOOST_AUTO_TEST_CASE(missing_functions_are_refused) {
    Plugin plugin;
    plugin.first.handle = nullptr;
    BOOST_TEST(has(plugin.check(), "lacks one of the functions"));
}

BOOST_AUTO_TEST_CASE(services_are_there_and_differ) {
    Plugin none;
    none.table.service_count = 0;
    BOOST_TEST(none.check() == "it brings no service");
    Plugin many;
    many.table.service_count = 100'000;
    BOOST_TEST(has(many.check(), "it claims 100000 services"));
    Plugin names;
    names.second.name = str("First");
    BOOST_TEST(names.check() == "two of its services are named First");
    Plugin paths;
    paths.second.path = str("/cxf/First");
    BOOST_TEST(paths.check() == "two of its services want the path /cxf/First");
}

BOOST_AUTO_TEST_SUITE_END()
