#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

#include "tests/unit/sdk/sample_service.hpp"

namespace acme::greeting {

struct Greeter : postbus::Service {
    void start() override {
        operation("greet", [] { return sample::Text{"hi"}; });
    }
};

}  // namespace acme::greeting

namespace {

using postbus::sdk::view;
using sample::Running;
using sample::Service;
using sample::Text;

constexpr auto echo = [](const Text& in) { return in; };

std::string whyNotStarted(std::function<void(Service&)> onStart) {
    const Running running(std::move(onStart));
    BOOST_TEST(!running.started);
    BOOST_REQUIRE(running.host.log().size() == 1u);
    BOOST_TEST(running.host.log()[0].level == POSTBUS_LOG_ERROR);
    return running.firstLog();
}

struct OneThing {
    std::string value;
    static constexpr std::string_view typeName = "thing";
    static constexpr auto fields() { return std::tuple{postbus::field("value", &OneThing::value)}; }
};
struct OtherThing {
    std::int32_t value;
    static constexpr std::string_view typeName = "thing";
    static constexpr auto fields() { return std::tuple{postbus::field("value", &OtherThing::value)}; }
};
template <class T>
struct Of {
    T inner;
    static constexpr auto fields() { return std::tuple{postbus::field("inner", &Of::inner)}; }
};
struct BadField {
    std::string value;
    static constexpr auto fields() { return std::tuple{postbus::field("two words", &BadField::value)}; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(service)

BOOST_AUTO_TEST_CASE(an_operation_is_described_by_its_structs_and_named_by_jax_ws) {
    const Running running([](Service& self) {
        self.operation("first", echo);
        self.operation("second",
                       {.nonblocking = true,
                        .soapAction = "urn:act",
                        .doc = "Says it again.",
                        .inElement = "Ask",
                        .outElement = "Tell"},
                       echo);
    });
    BOOST_REQUIRE(running.started);

    const postbus_operation& first = *running.host.find("first");
    BOOST_TEST(first.size == sizeof(postbus_operation));
    BOOST_TEST(first.flags == 0u);
    BOOST_TEST(first.mep == POSTBUS_MEP_IN_OUT);
    BOOST_TEST(view(first.in_element) == "first");
    BOOST_TEST(view(first.out_element) == "firstResponse");
    BOOST_TEST(first.soap_action.data == nullptr);
    BOOST_TEST(view(first.in->name) == "first");
    BOOST_TEST(view(first.out->name) == "firstResponse");
    BOOST_TEST(first.in->field_count == 1u);

    const postbus_operation& second = *running.host.find("second");
    BOOST_TEST(second.flags == POSTBUS_OPERATION_NONBLOCKING);
    BOOST_TEST(second.id != first.id);
    BOOST_TEST(view(second.in_element) == "Ask");
    BOOST_TEST(view(second.out_element) == "Tell");
    BOOST_TEST(view(second.out->name) == "Tell");
    BOOST_TEST(view(second.soap_action) == "urn:act");
    BOOST_TEST(view(second.doc) == "Says it again.");
}

BOOST_AUTO_TEST_CASE(other_kinds_of_operation_say_so) {
    const Running running([](Service& self) {
        self.oneway("note", [](const Text&) {});
        self.robust("store", [](const Text&) -> postbus::Outcome<void> { return {}; });
        self.operation("look", [](const Text& in) -> std::optional<Text> { return in; });
        self.operation("try",
                       [](const Text&) -> postbus::Outcome<std::optional<Text>> { return std::optional<Text>(); });
        self.raw("raw", postbus::nonblocking, [](postbus::Call call) { call.reply(); });
        self.raw<Text, Text>("described", [](postbus::Call call) { call.reply(); });
        self.any([](postbus::Call call) { call.reply(); });
    });
    BOOST_REQUIRE(running.started);

    const postbus_operation& note = *running.host.find("note");
    BOOST_TEST(note.mep == POSTBUS_MEP_IN_ONLY);
    BOOST_TEST(note.out_element.data == nullptr);
    BOOST_TEST(note.out == nullptr);
    BOOST_TEST(note.in != nullptr);
    const postbus_operation& store = *running.host.find("store");
    BOOST_TEST(store.mep == POSTBUS_MEP_ROBUST_IN_ONLY);
    BOOST_TEST(store.out_element.data == nullptr);
    for (const char* optional : {"look", "try"}) {
        BOOST_TEST(running.host.find(optional)->mep == POSTBUS_MEP_IN_OPTIONAL_OUT);
        BOOST_TEST(running.host.find(optional)->out != nullptr);
    }
    const postbus_operation& raw = *running.host.find("raw");
    BOOST_TEST(raw.flags == POSTBUS_OPERATION_NONBLOCKING);
    BOOST_TEST(raw.in == nullptr);
    BOOST_TEST(view(running.host.find("described")->in->name) == "described");
    const postbus_operation& any = *running.host.find("any");
    BOOST_TEST(any.flags == POSTBUS_OPERATION_ANY);
    BOOST_TEST(any.in_element.data == nullptr);
}

BOOST_AUTO_TEST_CASE(a_start_that_fails_says_why) {
    BOOST_TEST(whyNotStarted([](Service&) { throw std::runtime_error("no database"); }) ==
               "start() failed: no database");
    BOOST_TEST(whyNotStarted([](Service&) { throw postbus::Fault::receiver("not today"); }) ==
               "start() failed: not today");
    BOOST_TEST(whyNotStarted([](Service&) { throw 7; }) ==
               "start() failed: it threw something that is no std::exception");
    BOOST_TEST(whyNotStarted([](Service&) {}) == "start() defined no operation");
}

BOOST_AUTO_TEST_CASE(an_operation_that_could_not_be_served_is_refused_at_start) {
    BOOST_TEST(whyNotStarted([](Service& self) {
                   self.operation("say", echo);
                   self.operation("say", echo);
               }) == "start() failed: operation 'say' is defined twice");
    BOOST_TEST(whyNotStarted([](Service& self) {
                   self.operation("say", echo);
                   self.operation("tell", {.inElement = "say"}, echo);
               }) == "start() failed: operation 'tell' is defined twice");
    BOOST_TEST(whyNotStarted([](Service& self) {
                   self.any([](postbus::Call call) { call.reply(); });
                   self.any([](postbus::Call call) { call.reply(); });
               }) == "start() failed: operation 'any' is defined twice");
    for (const char* name : {"", "two words", "1st", "-a", "a:b", "a<b"})
        BOOST_TEST(whyNotStarted([name](Service& self) { self.operation(name, echo); }) ==
                   "start() failed: '" + std::string(name) + "' is no name for an element, operation or type");
    BOOST_TEST(whyNotStarted([](Service& self) { self.operation("say", [](const BadField& in) { return in; }); }) ==
               "start() failed: 'two words' is no name for an element, operation or type");
}

BOOST_AUTO_TEST_CASE(two_types_of_one_name_are_refused_and_one_type_used_twice_is_not) {
    BOOST_TEST(whyNotStarted([](Service& self) {
                   self.operation("one", [](const Of<OneThing>& in) { return in; });
                   self.operation("other", [](const Of<OtherThing>& in) { return in; });
               }) ==
               "start() failed: two different types are named 'thing' in the schema; give one of them a typeName");
    const Running running([](Service& self) {
        self.operation("one", [](const Of<OneThing>& in) { return in; });
        self.operation("other", [](const Of<OneThing>& in) { return in; });
        self.operation("thing", [](const OneThing& in) { return in; });
    });
    BOOST_TEST(running.started);
}

BOOST_AUTO_TEST_CASE(a_bus_that_refuses_an_operation_fails_the_start) {
    Service::onStart = [](Service& self) { self.operation("say", echo); };
    postbus::test::PluginHost host(sample::table);
    host.refuseOperations();
    BOOST_REQUIRE(host.create());
    BOOST_TEST(!host.start());
    BOOST_TEST(host.log().at(0).text == "start() failed: the bus refuses operation 'say'");
}

BOOST_AUTO_TEST_CASE(operations_are_defined_in_start_alone) {
    Service* running = nullptr;
    const Running host([&running](Service& self) {
        running = &self;
        self.operation("say", echo);
    });
    BOOST_REQUIRE(host.started);
    BOOST_CHECK_THROW(running->operation("later", echo), std::logic_error);
}

BOOST_AUTO_TEST_CASE(what_a_service_throws_elsewhere_is_logged) {
    Running running([](Service& self) { self.operation("say", echo); });
    BOOST_REQUIRE(running.started);
    Service::onStop = [] { throw std::runtime_error("stuck"); };

    running.host.stop();

    BOOST_TEST(running.firstLog() == "stop() failed: stuck");
}

BOOST_AUTO_TEST_CASE(health_that_throws_is_ill) {
    postbus::test::PluginHost host(sample::table);
    Service::onHealth = nullptr;
    void* const self =
        sample::table.create(&postbus::test::PluginHost::table(), reinterpret_cast<postbus_service_context*>(&host));
    BOOST_REQUIRE(self);
    BOOST_TEST(sample::table.health(self) == 0);
    Service::onHealth = [] { throw std::runtime_error("fever"); };
    BOOST_TEST(sample::table.health(self) != 0);
    BOOST_TEST(host.log().at(0).text == "health() failed: fever");
    sample::table.destroy(self);
}

BOOST_AUTO_TEST_CASE(a_service_logs_through_the_bus) {
    const Running running([](Service& self) {
        self.operation("say", echo);
        self.log(postbus::LogLevel::Warning, "low on ink");
    });
    BOOST_REQUIRE(running.host.log().size() == 1u);
    BOOST_TEST(running.host.log()[0].level == POSTBUS_LOG_WARNING);
    BOOST_TEST(running.firstLog() == "low on ink");
}

BOOST_AUTO_TEST_CASE(a_host_too_old_is_not_entered) {
    postbus_host host = postbus::test::PluginHost::table();
    host.size = offsetof(postbus_host, extension);
    BOOST_TEST(sample::table.create(&host, nullptr) == nullptr);
    host = postbus::test::PluginHost::table();
    host.abi_major = 2;
    BOOST_TEST(sample::table.create(&host, nullptr) == nullptr);
}

BOOST_AUTO_TEST_CASE(what_a_service_does_not_say_follows_its_class) {
    static constexpr postbus::ServiceInfo nothing{};
    static constexpr std::string_view version = "2.1.0";
    constexpr const postbus_service& table =
        postbus::sdk::ServiceGlue<acme::greeting::Greeter, nothing, version>::table;
    BOOST_TEST(table.size == sizeof(postbus_service));
    BOOST_TEST(view(table.name) == "Greeter");
    BOOST_TEST(view(table.ns) == "http://greeting.acme/");
    BOOST_TEST(view(table.version) == "2.1.0");
    BOOST_TEST(table.path.data == nullptr);
    BOOST_TEST(view(table.implementation) == "Greeter");
}

BOOST_AUTO_TEST_CASE(a_plugin_may_bring_several_services) {
    static constexpr std::string_view name = "several", version = "3.0.0";
    constexpr const postbus_plugin& plugin =
        postbus::sdk::PluginGlue<name, version, acme::greeting::Greeter, Service>::table;
    BOOST_TEST(plugin.size == sizeof(postbus_plugin));
    BOOST_TEST(plugin.abi_major == POSTBUS_ABI_MAJOR);
    BOOST_TEST(view(plugin.name) == "several");
    BOOST_REQUIRE(plugin.service_count == 2u);
    BOOST_TEST(view(plugin.services[0]->name) == "Greeter");
    BOOST_TEST(view(plugin.services[0]->version) == "3.0.0");
    BOOST_TEST(view(plugin.services[1]->name) == "Service");
    BOOST_TEST(view(plugin.services[1]->ns) == "urn:test");
}

BOOST_AUTO_TEST_SUITE_END()
