#include "config/describe.hpp"
#include "config/equal.hpp"
#include "server/config/load.hpp"
#include "tests/unit/server_config/loading.hpp"

using postbus::config::Described;
using postbus::config::equal;
using postbus::server::DaemonConfig;
using postbus::server::loadDaemonConfig;

namespace {

/// A --set for every default that the reference page shows.
std::vector<std::string> shownDefaults(const Described& type, const std::string& path) {
    std::vector<std::string> sets;
    for (const auto& field : type.fields) {
        const std::string name = path + (path.empty() ? "" : ".") + std::string(field.name);
        if (field.initial) {
            sets.push_back(name + "=" + *field.initial);
        } else if (field.type.isStruct() && !field.type.optional) {
            for (std::string& each : shownDefaults(field.type, name)) sets.push_back(std::move(each));
        }
    }
    return sets;
}

const std::string defaultsFile = SOURCE_DIR "/config/defaults/postbus.yaml";

}  // namespace

BOOST_AUTO_TEST_SUITE(defaults)

BOOST_AUTO_TEST_CASE(without_a_file_hello_world_is_served) {
    const DaemonConfig config = loadDaemonConfig(std::nullopt);

    BOOST_REQUIRE_EQUAL(config.transports.http.listen.size(), 1u);
    BOOST_TEST(config.transports.http.listen[0].address == "127.0.0.1:8181");
    BOOST_TEST(config.admin.listen == "127.0.0.1:8182");
    BOOST_TEST(config.admin.socket == "admin.sock");
    BOOST_TEST(config.plugins.bundled);
    BOOST_TEST(config.plugins.folder == "deploy");
    BOOST_TEST(config.endpoints.empty());
}

BOOST_AUTO_TEST_CASE(the_commented_file_holds_the_built_in_values) {
    BOOST_TEST(equal(loadDaemonConfig(defaultsFile), loadDaemonConfig(std::nullopt)));
}

BOOST_AUTO_TEST_CASE(the_reference_page_shows_the_built_in_values) {
    const auto sets = shownDefaults(postbus::config::describe<DaemonConfig>(), {});

    BOOST_TEST(sets.size() > 20u);
    BOOST_TEST(equal(loadDaemonConfig(std::nullopt, sets), loadDaemonConfig(std::nullopt)));
}

BOOST_AUTO_TEST_CASE(the_comparison_sees_a_difference_in_each_section) {
    const DaemonConfig base = loadDaemonConfig(std::nullopt);

    for (const char* change :
         {"transports.http.listen=127.0.0.1:1", "transports.http.limits.idle=1s", "transports.http.threads=1",
          "transports.http.listen={address: '127.0.0.1:8181', limits: {}}", "plugins.folder=x", "plugins.bundled=off",
          "endpoints.A={}", "admin.socket=off", "logging.level=debug", "logging.access=off", "workers.queue=1",
          "shutdown.drain=1s"}) {
        const std::vector<std::string> sets{change};
        BOOST_TEST(!equal(loadDaemonConfig(std::nullopt, sets), base), change);
    }
}

/// The example of the design, with what this version has.
BOOST_AUTO_TEST_CASE(the_commented_example_reads_when_it_is_uncommented) {
    const DaemonConfig config = readDaemon(R"(
transports:
  http:
    listen:
      - 127.0.0.1:8181
      - address: "*:8080"
        name: outside
        trusted-proxies: [10.0.0.0/8]
        allow: [10.0.0.0/8]
        deny: [10.9.0.0/16]
        limits: {body: 1MiB}
endpoints:
  HelloWorld:
    to: service:HelloWorld
    http: [/cxf/HelloWorld, {path: /hello, listener: outside}]
    soap: {versions: ["1.1", "1.2"], advertise: ["1.1"]}
    limits: {concurrency: 64, timeout: 5s, body: 1MiB}
)");

    const auto& endpoint = config.endpoints.at("HelloWorld");
    BOOST_TEST(endpoint.service() == "HelloWorld");
    BOOST_REQUIRE(endpoint.http);
    BOOST_REQUIRE_EQUAL(endpoint.http->size(), 2u);
    BOOST_TEST((*endpoint.http)[0].path == "/cxf/HelloWorld");
    BOOST_TEST((*endpoint.http)[1].listener == "outside");
    BOOST_REQUIRE(endpoint.soap);
    BOOST_TEST(endpoint.soap->versions.size() == 2u);
    BOOST_TEST(endpoint.limits.concurrency == 64u);
    BOOST_TEST(endpoint.limits.timeout.count() == 5'000);
    BOOST_TEST(endpoint.limits.body.bytes == 1u << 20);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_missing_is_named) {
    BOOST_CHECK_EXCEPTION(loadDaemonConfig("/nowhere/postbus.yaml"), postbus::config::ConfigError, [](const auto& e) {
        return std::string(e.what()) == "/nowhere/postbus.yaml: cannot be read: No such file or directory";
    });
}

BOOST_AUTO_TEST_SUITE_END()
