// Built without the SDK's flags, as a stranger might: exports an STB_GNU_UNIQUE symbol, which outlives its plugin. GCC
// makes such symbols of a template's statics; here it is made by hand, so that each compiler does.
#include <postbus/plugin.hpp>

asm(R"(
    .pushsection .data
    .globl unique_count
    .type unique_count, @gnu_unique_object
    .size unique_count, 4
unique_count:
    .long 0
    .popsection
)");
extern "C" int unique_count;

struct Answer {
    std::int32_t count = 0;
    static constexpr auto fields() { return std::tuple{postbus::field("count", &Answer::count)}; }
};
struct Unique : postbus::Service {
    void start() override {
        operation("count", [] { return Answer{++unique_count}; });
    }
};
POSTBUS_SERVICE(Unique, .ns = "urn:postbus:test:bad", .path = "/test/unique")
