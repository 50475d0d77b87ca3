#include "admin/admin_binding.hpp"

#include <boost/test/unit_test.hpp>

#include "admin/admin_endpoint.hpp"
#include "tests/support/port_caller.hpp"

using namespace postbus;

namespace {

const std::string secret = "0123456789abcdef0123456789abcdef";

/// A daemon of fixed facts.
class Facts : public admin::Management {
public:
    admin::ReadyReport ready() const override { return {false, {"the daemon is starting"}}; }
    admin::StatusReport status() const override {
        admin::StatusReport report;
        report.version = "1.2.3";
        report.configFile = "/etc/\"odd\"\n.yaml";
        report.listeners.push_back({"http", "main", "127.0.0.1:8181", 3});
        report.exchanges.begun = 10;
        return report;
    }
    std::vector<admin::EndpointReport> endpoints() const override { throw std::runtime_error("broken on purpose"); }
    std::vector<admin::PluginReport> plugins() const override { return {}; }
    admin::ExchangesReport exchanges() const override { return {}; }
    admin::ReloadReport reload() override { return {false, true, {"a.yaml:1:2: no"}, {}}; }
};

/// The admin port on this thread; what waits runs on a worker, and comes back through the loop.
class AdminCaller {
public:
    AdminCaller() : workers_(1, 4), port_(routes_, workers_), pool_(loop_) {
        auto endpoint = std::make_shared<admin::AdminEndpoint>(facts_);
        auto table = std::make_shared<core::RouteTable>();
        core::Route route;
        route.name = "admin";
        route.endpoint = endpoint;
        route.bindings.push_back(std::make_shared<admin::AdminBinding>(admin::Guard(secret), endpoint->contract()));
        table->setFallback(std::move(route));
        routes_.set(std::move(table));
    }

    test::Answer call(const std::string& method, const std::string& path, bool local = true) {
        test::Request asked;
        asked.method = method;
        asked.path = path;
        asked.host = "127.0.0.1:8182";
        core::WireRequest wire = asked.wire();
        wire.head.local = local;
        core::Admission admission = port_.admit(wire.head);
        auto recorder = std::make_shared<test::Recorder>();
        if (auto checked = port_.check(admission, wire.head); !checked) {
            recorder->answer(port_.refuse(admission, wire.head, std::move(checked).error(), "refused-1", Buffer()));
            return recorder->last;
        }
        port_.receive(pool_, std::move(admission), wire, core::ReplyTo(recorder), milliseconds(0));
        workers_.stop();
        loop_.run();
        return recorder->last;
    }

private:
    Facts facts_;
    Snapshot<core::RouteTable> routes_;
    core::WorkerPool workers_;
    core::InboundPort port_;
    test::ThisThread loop_;
    core::ExchangePool pool_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(admin_binding)

BOOST_AUTO_TEST_CASE(answers_in_json_whatever_the_values_hold) {
    const test::Answer answer = AdminCaller().call("GET", "/status");

    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.contentType == "application/json");
    BOOST_TEST(answer.header("Cache-Control") == "no-store");
    BOOST_TEST(answer.body.find(R"("version":"1.2.3")") != std::string::npos);
    BOOST_TEST(answer.body.find(R"("configFile":"/etc/\"odd\"\n.yaml")") != std::string::npos);
    BOOST_TEST(answer.body.find(R"({"transport":"http","name":"main","address":"127.0.0.1:8181","connections":3})") !=
               std::string::npos);
    BOOST_TEST(answer.body.find(R"("begun":10)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(puts_the_outcome_into_the_status) {
    BOOST_TEST(AdminCaller().call("GET", "/readyz").status == 503);
    BOOST_TEST(AdminCaller().call("GET", "/readyz").body ==
               "{\"ready\":false,\"reasons\":[\"the daemon is starting\"]}\n");
    const test::Answer reload = AdminCaller().call("POST", "/reload");
    BOOST_TEST(reload.status == 422);
    BOOST_TEST(reload.body.find(R"("problems":["a.yaml:1:2: no"])") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(says_what_a_path_takes_instead) {
    const test::Answer answer = AdminCaller().call("POST", "/status");

    BOOST_TEST(answer.status == 405);
    BOOST_TEST(answer.header("Allow") == "GET, HEAD");
    BOOST_TEST(answer.body == "{\"error\":\"this path takes GET, HEAD\",\"request\":\"refused-1\"}\n");
    BOOST_TEST(AdminCaller().call("GET", "/reload").header("Allow") == "POST");
    BOOST_TEST(AdminCaller().call("GET", "/elsewhere").status == 404);
}

BOOST_AUTO_TEST_CASE(tells_strangers_nothing_but_health) {
    BOOST_TEST(AdminCaller().call("GET", "/healthz", false).status == 200);
    for (const char* path : {"/status", "/reload", "/elsewhere", "/healthz/more"}) {
        const test::Answer answer = AdminCaller().call("GET", path, false);
        BOOST_TEST(answer.status == 401, path);
        BOOST_TEST(answer.header("WWW-Authenticate") == "Bearer", path);
        BOOST_TEST(answer.header("Allow").empty(), path);
    }
}

BOOST_AUTO_TEST_CASE(survives_what_the_daemon_throws) {
    const test::Answer answer = AdminCaller().call("GET", "/endpoints");

    BOOST_TEST(answer.status == 500);
    BOOST_TEST(answer.body.find("broken on purpose") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
