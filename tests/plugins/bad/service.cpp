// Plugins that load well and go wrong afterwards; WHAT says how.
#include <postbus/plugin.hpp>

#include <stdexcept>
#include <string>

#define START_THROWS 1
#define START_DEFINES_NOTHING 2
#define TAKES_A_PATH 3
#define CONSTRUCTOR_THROWS 4
#define NEEDS_A_SYMBOL 5
#define THREAD_LOCAL 6
#define STOP_THROWS 7

#if WHAT == NEEDS_A_SYMBOL
extern "C" int postbus_test_symbol_that_nobody_defines();
#endif

namespace {

#if WHAT == THREAD_LOCAL
// Has a destructor, so that each thread which touches it keeps the plugin loaded.
thread_local std::string last = "a text that is long enough for the heap";
#endif

struct Answer {
    std::string value;
    static constexpr auto fields() { return std::tuple{postbus::field("value", &Answer::value)}; }
};

std::string value() {
#if WHAT == NEEDS_A_SYMBOL
    return std::to_string(postbus_test_symbol_that_nobody_defines());
#elif WHAT == THREAD_LOCAL
    return last += '.';
#else
    return "served";
#endif
}

struct Bad : postbus::Service {
    Bad() {
        if (WHAT == CONSTRUCTOR_THROWS) throw std::runtime_error("thrown by the constructor");
    }
    void start() override {
        if (WHAT == START_THROWS) throw std::runtime_error("thrown by start");
        if (WHAT != START_DEFINES_NOTHING) operation("serve", postbus::nonblocking, [] { return Answer{value()}; });
    }
    void stop() override {
        if (WHAT == STOP_THROWS) throw std::runtime_error("thrown by stop");
    }
};

}  // namespace

POSTBUS_SERVICE(Bad, .name = NAME, .ns = "urn:postbus:test:bad", .version = "1.0.0", .path = PATH)
