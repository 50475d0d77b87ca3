// HelloWorld under other versions, to replace the bundled one: GREETING and VERSION come from the build.
#include <postbus/plugin.hpp>

struct SayHi {
    std::optional<std::string> arg0;
    static constexpr auto fields() { return std::tuple{postbus::field("arg0", &SayHi::arg0)}; }
};
struct SayHiResponse {
    std::optional<std::string> result;
    static constexpr auto fields() { return std::tuple{postbus::field("return", &SayHiResponse::result)}; }
};
struct HelloWorld : postbus::Service {
    void start() override {
        operation("sayHi", postbus::nonblocking,
                  [](const SayHi& in) { return SayHiResponse{GREETING " " + in.arg0.value_or("")}; });
    }
};
POSTBUS_SERVICE(HelloWorld, .name = "HelloWorld", .ns = "http://cxf.examples.servicemix.apache.org/",
                .version = VERSION, .path = "/cxf/HelloWorld", .implementation = "HelloWorldImpl")
