// A service that calls another: it greets many by asking HelloWorld for each.
#include <postbus/plugin.hpp>

#include <optional>
#include <string>
#include <vector>

constexpr std::string_view hello = "http://cxf.examples.servicemix.apache.org/";

struct SayHi {
    std::optional<std::string> arg0;
    static constexpr auto fields() { return std::tuple{postbus::field("arg0", &SayHi::arg0)}; }
};
struct SayHiResponse {
    std::optional<std::string> result;
    static constexpr auto fields() { return std::tuple{postbus::field("return", &SayHiResponse::result)}; }
};

struct Greet {
    std::string name;
    static constexpr auto fields() { return std::tuple{postbus::field("name", &Greet::name)}; }
};
struct GreetAll {
    std::vector<std::string> name;
    static constexpr auto fields() { return std::tuple{postbus::field("name", &GreetAll::name)}; }
};
struct Greetings {
    std::vector<std::string> greeting;
    static constexpr auto fields() { return std::tuple{postbus::field("greeting", &Greetings::greeting)}; }
};

class Greeter : public postbus::Service {
public:
    void start() override {
        // On a worker: it may wait for the other.
        operation("greetAll",
                  [this](const GreetAll& in, const postbus::Request& request) { return greetAll(in, request); });
        // On the loop: it answers when the other has, and waits for nothing.
        raw<Greet, Greetings>("greet", postbus::nonblocking, [this](postbus::Call call) { greet(std::move(call)); });
    }

private:
    postbus::Outcome<Greetings> greetAll(const GreetAll& in, const postbus::Request& request) const {
        Greetings all;
        for (const std::string& name : in.name) {
            const auto answer = invoke(request, "HelloWorld").with(hello, "sayHi", SayHi{name}).get<SayHiResponse>();
            if (!answer) return answer.fault();
            all.greeting.push_back(answer->result.value_or(""));
        }
        return all;
    }

    void greet(postbus::Call call) const {
        const auto in = call.read<Greet>();
        if (!in) return call.fail(in.fault());
        auto ask = invoke(call, "HelloWorld").with(hello, "sayHi", SayHi{in->name});
        std::move(ask).then([call = std::move(call)](const postbus::Reply& reply) mutable {
            const auto answer = reply.read<SayHiResponse>();
            if (!answer) return call.fail(answer.fault());
            call.reply(Greetings{{answer->result.value_or("")}});
        });
    }
};

POSTBUS_SERVICE(Greeter, .name = "Greeter", .ns = "urn:greeter", .path = "/cxf/Greeter")
