// Built without the SDK's flags, as a stranger might: exports an STB_GNU_UNIQUE symbol, which outlives its plugin.
#include <postbus/plugin.hpp>

template <class T>
struct Counter {
    static int count;
};
template <class T>
int Counter<T>::count = 0;

struct Answer {
    std::int32_t count = 0;
    static constexpr auto fields() { return std::tuple{postbus::field("count", &Answer::count)}; }
};
struct Unique : postbus::Service {
    void start() override {
        operation("count", [] { return Answer{++Counter<int>::count}; });
    }
};
POSTBUS_SERVICE(Unique, .ns = "urn:postbus:test:bad", .path = "/test/unique")
