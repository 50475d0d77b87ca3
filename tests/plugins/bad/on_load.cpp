// A plugin with an ordinary service whose static constructor does ON_LOAD.
#include <postbus/plugin.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

[[maybe_unused]] void crash() { std::raise(SIGSEGV); }
[[maybe_unused]] void leave() { std::exit(0); }
[[maybe_unused]] void raise() { throw std::runtime_error("thrown on load"); }
[[maybe_unused]] void spin() {
    static volatile bool forever = true;
    while (forever) {
    }
}
[[maybe_unused]] void sleep() { std::this_thread::sleep_for(std::chrono::hours(1)); }
[[maybe_unused]] void eat() {
    static std::vector<std::unique_ptr<char[]>> eaten;
    for (;;) eaten.push_back(std::make_unique<char[]>(std::size_t{64} << 20));
}

const bool loaded = (ON_LOAD(), true);

struct Bad : postbus::Service {
    void start() override {
        any([](postbus::Call call) { call.fail(postbus::Fault::receiver(loaded ? "never served" : "")); });
    }
};

}  // namespace

POSTBUS_SERVICE(Bad, .ns = "urn:postbus:test:bad", .path = "/test/bad")
