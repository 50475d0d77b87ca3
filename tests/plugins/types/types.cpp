// A service for tests: typed operations over every kind of value, and every way of ending a call.
#include <postbus/plugin.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "later.hpp"
#include "messages.hpp"

namespace types {

void Later::answer(postbus::Call call) {
    auto in = call.read<TextMessage>();
    if (!in) return call.fail(in.fault());
    call.reply(*in);
}

struct Types : postbus::Service {
    void start() override {
        defineData();
        defineFaults();
        defineTiming();
        later_.start();
    }
    void stop() override { later_.stop(); }

private:
    void defineData() {
        operation("scalars", postbus::nonblocking, [](const ScalarsMessage& in) { return in; });
        operation("options", postbus::nonblocking, [](const OptionsMessage& in) { return in; });
        operation("person", postbus::nonblocking, [](const PersonMessage& in) { return in; });
        operation("nothing", postbus::nonblocking, [] {});
        operation("requestId", postbus::nonblocking,
                  [](const postbus::Request& request) { return TextMessage{std::string(request.id())}; });
        operation("acted", {.nonblocking = true, .soapAction = "urn:postbus:test:acted", .doc = "Has a SOAPAction."},
                  [](const TextMessage& in) { return in; });
    }

    void defineFaults() {
        operation("fail", postbus::nonblocking, []() -> postbus::Outcome<TextMessage> {
            return postbus::Fault::receiver("failed as asked", "<Why xmlns=\"urn:example:f\">7</Why>");
        });
        operation("failSender", postbus::nonblocking, [] {
            throw postbus::Fault::sender("your fault",
                                         "<a xmlns=\"urn:example:f\"/><b xmlns=\"urn:example:f\" c=\"d\"/>");
        });
        operation("throwError", postbus::nonblocking, [] { throw std::runtime_error("thrown as asked"); });
        operation("throwForbidden", postbus::nonblocking, [] { throw std::runtime_error("bell \x07 and \xFF"); });
        operation("failBadDetail", postbus::nonblocking, [] { throw postbus::Fault::sender("torn", "<open>"); });
        operation("throwInt", postbus::nonblocking, [] { throw 7; });
        raw("throwRaw", postbus::nonblocking, [](postbus::Call) { throw std::runtime_error("thrown by a raw one"); });
        raw("throwAfterReply", postbus::nonblocking, [](postbus::Call call) {
            call.reply(postbus::Nothing{});
            throw std::runtime_error("too late to matter");
        });
        raw("forget", postbus::nonblocking, [](postbus::Call) {});
        operation("forbidden", postbus::nonblocking, [] {
            return TextMessage{
                "a\x0B"
                "b"};
        });
        operation("badUtf8", postbus::nonblocking, [] { return TextMessage{"a\xC3(b"}; });
        operation("badDecimal", postbus::nonblocking, [] { return Holding<postbus::Decimal>{{"1,5"}}; });
        raw("unbalanced", postbus::nonblocking, [](postbus::Call call) {
            call.start("urn:postbus:test:types", "unbalancedResponse");
            call.reply();
        });
    }

    void defineTiming() {
        oneway("note", postbus::nonblocking, [this](const TextMessage&) { ++notes_; });
        operation("notes", postbus::nonblocking, [this] { return Holding<std::uint64_t>{notes_.load()}; });
        raw<TextMessage, TextMessage>("later", postbus::nonblocking, [this](postbus::Call call) {
            later_.add(std::move(call), std::chrono::milliseconds(20));
        });
        // What a nonblocking operation must not do: the loop can do nothing else meanwhile.
        operation("block", postbus::nonblocking, [](const Sleep& in) {
            std::this_thread::sleep_for(std::chrono::milliseconds(in.milliseconds));
            return TextMessage{"blocked"};
        });
        operation("sleep", [](const Sleep& in) {
            std::this_thread::sleep_for(std::chrono::milliseconds(in.milliseconds));
            return TextMessage{"slept " + std::to_string(in.milliseconds) + " ms"};
        });
    }

    std::atomic<std::uint64_t> notes_{0};
    Later later_;
};

}  // namespace types

POSTBUS_SERVICE(types::Types, .ns = "urn:postbus:test:types", .version = "1.0.0", .path = "/test/types")
