#include "server/composition/composition.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/hello_endpoint.hpp"

using namespace postbus;
using server::Composition;
using server::EndpointConfig;
using server::EndpointView;
using Services = std::vector<deployer::ActiveService>;

namespace {

deployer::ActiveService service(const std::string& name, const std::string& path, const std::string& plugin = "p") {
    wsdl::Contract contract = test::helloContract();
    contract.name = name;
    return {name, path, plugin, std::make_shared<test::FunctionEndpoint>(std::move(contract), test::sayHi)};
}

EndpointConfig at(std::vector<server::EndpointPath> paths, const std::string& service) {
    EndpointConfig config;
    config.to = "service:" + service;
    config.http = std::move(paths);
    return config;
}

EndpointConfig anywhere(const std::string& service) {
    EndpointConfig config;
    config.to = "service:" + service;
    return config;
}

struct House {
    explicit House(server::Endpoints endpoints = {}) : composition(bus, std::move(endpoints)) { composition.open(); }
    ~House() { composition.clear(); }

    /// The endpoint's name at a path, "" when there is none.
    std::string at(const std::string& path, const std::string& listener = "any") const {
        const core::Route* route = bus.routes()->find(listener, path);
        return route ? route->name : "";
    }
    EndpointView view(const std::string& name) const {
        for (const EndpointView& each : composition.view())
            if (each.name == name) return each;
        BOOST_FAIL("no endpoint " + name);
        return {};
    }
    bool publish(const Services& services) {
        auto published = composition.publish(services);
        refusal = published ? "" : published.error().message();
        return static_cast<bool>(published);
    }

    core::Bus bus{1, 1};
    Composition composition;
    std::string refusal;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(composition)

BOOST_AUTO_TEST_CASE(serves_a_service_at_the_path_its_plugin_names) {
    House house;

    BOOST_TEST(house.publish({service("A", "/a")}));

    BOOST_TEST(house.at("/a") == "A");
    BOOST_TEST((house.view("A").state == EndpointView::State::Serving));
    BOOST_TEST(house.view("A").operations.front() == "sayHi");
}

BOOST_AUTO_TEST_CASE(gives_a_path_up_with_its_service) {
    House house;
    house.publish({service("A", "/a"), service("B", "/b")});

    BOOST_TEST(house.publish({service("B", "/b")}));

    BOOST_TEST(house.at("/a") == "");
    BOOST_TEST(house.at("/b") == "B");
}

BOOST_AUTO_TEST_CASE(follows_the_configuration_where_it_names_paths) {
    House house({{"A", at({{"/one", ""}, {"/two", "inside"}}, "A")}});

    house.publish({service("A", "/a")});

    BOOST_TEST(house.at("/one") == "A");
    BOOST_TEST(house.at("/two", "inside") == "A");
    BOOST_TEST(house.at("/two", "outside") == "");
    BOOST_TEST(house.at("/a") == "");
}

BOOST_AUTO_TEST_CASE(lets_several_endpoints_lead_to_one_service) {
    House house({{"Alias", at({{"/alias", ""}}, "A")}});

    house.publish({service("A", "/a")});

    BOOST_TEST(house.at("/alias") == "Alias");
    BOOST_TEST(house.at("/a") == "A");
}

BOOST_AUTO_TEST_CASE(uses_the_plugins_path_where_the_configuration_names_none) {
    House house({{"A", anywhere("B")}});

    house.publish({service("B", "/b")});

    // Both the endpoint A and the service's own want it: the one of the configuration has it.
    BOOST_TEST(house.at("/b") == "A");
    BOOST_TEST((house.view("B").state == EndpointView::State::Unreachable));
}

BOOST_AUTO_TEST_CASE(keeps_an_endpoint_off_http_where_the_configuration_says_so) {
    House house({{"A", at({}, "A")}});

    house.publish({service("A", "/a")});

    BOOST_TEST(house.at("/a") == "");
    BOOST_TEST((house.view("A").state == EndpointView::State::Serving));
}

BOOST_AUTO_TEST_CASE(has_operations_run_where_the_configuration_says) {
    EndpointConfig inlined = at({{"/b", ""}}, "A"), pooled = at({{"/c", ""}}, "A");
    inlined.dispatch = core::Dispatch::Inline;
    pooled.dispatch = core::Dispatch::Pooled;
    House house({{"B", inlined}, {"C", pooled}});

    house.publish({service("A", "/a")});

    wsdl::Operation waits, quick;
    quick.nonblocking = true;
    const auto routes = house.bus.routes();
    BOOST_TEST(!routes->find("any", "/a")->runsInline(waits));
    BOOST_TEST(routes->find("any", "/a")->runsInline(quick));
    BOOST_TEST(routes->find("any", "/b")->runsInline(waits));
    BOOST_TEST(!routes->find("any", "/c")->runsInline(quick));
}

BOOST_AUTO_TEST_CASE(refuses_the_newcomer_when_two_plugins_want_one_path) {
    House house;
    house.publish({service("A", "/x", "first")});

    BOOST_TEST(!house.publish({service("B", "/x", "second"), service("A", "/x", "first")}));

    BOOST_TEST(house.refusal.find("/x") != std::string::npos);
    BOOST_TEST(house.refusal.find("A") != std::string::npos);
    BOOST_TEST(house.at("/x") == "A");
    BOOST_TEST(house.composition.view().size() == 1u);
}

BOOST_AUTO_TEST_CASE(refuses_a_new_version_that_moves_to_anothers_path_though_its_name_comes_first) {
    House house;
    house.publish({service("B", "/b"), service("A", "/a")});

    BOOST_TEST(!house.publish({service("B", "/a"), service("A", "/a")}));

    BOOST_TEST(house.at("/a") == "A");
    BOOST_TEST(house.at("/b") == "B");
}

BOOST_AUTO_TEST_CASE(refuses_a_second_service_of_the_same_name) {
    House house;
    house.publish({service("A", "/a", "first")});

    BOOST_TEST(!house.publish({service("A", "/other", "second"), service("A", "/a", "first")}));

    BOOST_TEST(house.refusal.find("first") != std::string::npos);
    BOOST_TEST(house.at("/a") == "A");
    BOOST_TEST(house.at("/other") == "");
}

BOOST_AUTO_TEST_CASE(goes_on_after_a_refusal) {
    House house;
    house.publish({service("A", "/a")});
    house.publish({service("A", "/a"), service("B", "/a", "q")});

    BOOST_TEST(house.publish({service("A", "/a"), service("C", "/c", "r")}));

    BOOST_TEST(house.at("/c") == "C");
}

BOOST_AUTO_TEST_CASE(takes_a_path_of_the_configuration_from_a_plugin) {
    House house;
    house.publish({service("A", "/a"), service("B", "/b")});

    house.composition.configure({{"B", at({{"/a", ""}}, "B")}});

    BOOST_TEST(house.at("/a") == "B");
    BOOST_TEST(house.at("/b") == "");
    BOOST_TEST((house.view("A").state == EndpointView::State::Unreachable));
    // It is no reason to refuse plugins from then on.
    BOOST_TEST(house.publish({service("A", "/a"), service("B", "/b"), service("C", "/c", "r")}));
}

BOOST_AUTO_TEST_CASE(lets_the_configuration_have_a_path_on_one_listener_and_refuses_nobody_for_it) {
    House house({{"B", at({{"/a", "inside"}}, "B")}});

    BOOST_TEST(house.publish({service("A", "/a"), service("B", "/b")}));

    BOOST_TEST(house.at("/a", "inside") == "B");
    BOOST_TEST((house.view("A").state == EndpointView::State::Unreachable));
}

BOOST_AUTO_TEST_CASE(leaves_the_path_to_who_has_it_when_the_configuration_no_longer_keeps_two_apart) {
    House house({{"B", at({{"/b", ""}}, "B")}});
    house.publish({service("A", "/x"), service("B", "/x")});
    BOOST_TEST(house.at("/x") == "A");

    house.composition.configure({});

    BOOST_TEST(house.at("/x") == "A");
    BOOST_TEST((house.view("B").state == EndpointView::State::Unreachable));
    BOOST_TEST(house.publish({service("A", "/x"), service("B", "/x"), service("C", "/c", "r")}));
}

BOOST_AUTO_TEST_CASE(waits_for_a_service_that_the_configuration_names) {
    House house({{"Billing", at({{"/billing", ""}}, "Billing")}});

    BOOST_TEST(house.composition.waiting().front() == "Billing");
    BOOST_TEST((house.view("Billing").state == EndpointView::State::Waiting));

    house.publish({service("Billing", "/own")});
    BOOST_TEST(house.composition.waiting().empty());
    BOOST_TEST((house.view("Billing").state == EndpointView::State::Serving));
}

BOOST_AUTO_TEST_CASE(answers_unavailable_where_a_service_is_awaited) {
    House house({{"Billing", at({{"/billing", ""}}, "Billing")}});
    core::RequestHead head;
    head.method = "POST";
    head.path = "/billing";
    head.contentType = "text/xml";
    const core::Admission admission = house.bus.port().admit(head);

    const auto checked = house.bus.port().check(admission, head);

    BOOST_REQUIRE(!checked);
    BOOST_TEST((checked.error().kind() == Error::Kind::Unavailable));
    const core::WireAnswer answer = house.bus.port().refuse(admission, head, checked.error(), "id-1", Buffer());
    BOOST_TEST(answer.body.view().find("Fault") != std::string_view::npos);
    BOOST_TEST(answer.body.view().find("service Billing is not deployed") != std::string_view::npos);
}

BOOST_AUTO_TEST_CASE(passes_limits_on_and_shares_the_count_of_an_endpoint_over_all_tables) {
    EndpointConfig config = at({{"/one", ""}, {"/two", ""}}, "A");
    config.limits.concurrency = 7;
    config.limits.body = ByteSize{1000};
    config.limits.timeout = milliseconds(250);
    House house({{"A", config}});
    house.publish({service("A", "/a")});
    const auto before = house.bus.routes();
    const core::Route* one = before->find("any", "/one");
    BOOST_TEST(one->limits.concurrency == 7u);
    BOOST_TEST(one->limits.body == 1000u);
    BOOST_TEST(one->limits.timeout.count() == 250);

    one->inside->enter();
    house.composition.configure({{"A", config}});

    BOOST_TEST(house.bus.routes()->find("any", "/two")->inside->count() == 1);
    BOOST_TEST(house.view("A").open == 1);
    one->inside->leave();
}

BOOST_AUTO_TEST_CASE(keeps_the_bindings_of_what_did_not_change) {
    House house;
    const auto a = service("A", "/a");
    house.publish({a});
    const auto before = house.bus.routes();

    house.publish({a, service("B", "/b", "q")});

    BOOST_TEST(house.bus.routes()->find("any", "/a")->bindings == before->find("any", "/a")->bindings);
}

BOOST_AUTO_TEST_CASE(makes_new_bindings_for_another_version_and_other_settings) {
    House house;
    const auto a = service("A", "/a");
    house.publish({a});
    const auto first = house.bus.routes()->find("any", "/a")->bindings;

    house.publish({service("A", "/a")});
    const auto second = house.bus.routes()->find("any", "/a")->bindings;
    BOOST_TEST(second != first);

    EndpointConfig config = anywhere("A");
    config.soap.emplace().versions = {soap::Version::Soap12};
    house.composition.configure({{"A", config}});
    BOOST_TEST(house.bus.routes()->find("any", "/a")->bindings != second);
}

BOOST_AUTO_TEST_CASE(an_endpoint_without_a_path_is_reached_by_its_name) {
    EndpointConfig hidden = at({}, "S"), behind = anywhere("T");
    behind.queue.emplace().name = "q";
    House house({{"Hidden", hidden}, {"Behind", behind}});
    house.publish({service("S", "/s"), service("T", "/s"), service("U", "/s")});

    const auto table = house.bus.routes();
    BOOST_REQUIRE(table->byName().contains("Hidden"));
    BOOST_TEST(table->byName().at("Hidden").front()->endpoint->name() == "S");
    for (const EndpointView& each : house.composition.view()) {
        if (each.name != "Behind") continue;
        BOOST_TEST(each.queue == "q");
        BOOST_TEST((each.state == EndpointView::State::Serving));
    }
    BOOST_TEST(table->byName().contains("Behind"));
}

BOOST_AUTO_TEST_CASE(holds_no_service_longer_than_it_is_published) {
    House house;
    Services services{service("A", "/a")};
    const std::weak_ptr<core::Endpoint> endpoint = services.front().endpoint;
    house.publish(services);
    services.clear();
    BOOST_TEST(!endpoint.expired());

    house.publish({});

    BOOST_TEST(endpoint.expired());
}

BOOST_AUTO_TEST_SUITE_END()
