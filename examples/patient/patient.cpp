// A service of coroutines: it waits for another, for time and for a worker, and holds no thread meanwhile.
#include <postbus/plugin.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

using namespace std::chrono_literals;

constexpr std::string_view hello = "http://cxf.examples.servicemix.apache.org/";

struct SayHi {
    std::optional<std::string> arg0;
    static constexpr auto fields() { return std::tuple{postbus::field("arg0", &SayHi::arg0)}; }
};
struct SayHiResponse {
    std::optional<std::string> result;
    static constexpr auto fields() { return std::tuple{postbus::field("return", &SayHiResponse::result)}; }
};

struct Names {
    std::vector<std::string> name;
    static constexpr auto fields() { return std::tuple{postbus::field("name", &Names::name)}; }
};
struct Greetings {
    std::vector<std::string> greeting;
    static constexpr auto fields() { return std::tuple{postbus::field("greeting", &Greetings::greeting)}; }
};

class Patient : public postbus::Service {
public:
    void start() override {
        operation("greetInTurn", postbus::nonblocking,
                  [this](const Names& in, const postbus::Request& request) { return greetInTurn(in, request); });
    }

private:
    postbus::Task<Greetings> greetInTurn(const Names& in, const postbus::Request& request) const {
        Greetings all;
        for (const std::string& name : in.name) {
            if (!all.greeting.empty()) co_await pause(request, 5ms);
            all.greeting.push_back(co_await greet(name, request));
        }
        co_await onWorker();  // from here on it may wait, for a disk, say
        co_return all;
    }

    postbus::Task<std::string> greet(std::string name, const postbus::Request& request) const {
        auto ask = invoke(request, "HelloWorld").with(hello, "sayHi", SayHi{name});
        const auto answer = co_await ask.async<SayHiResponse>();
        if (!answer) throw answer.fault();
        co_return answer->result.value_or("");
    }
};

POSTBUS_SERVICE(Patient, .name = "Patient", .ns = "urn:patient", .path = "/cxf/Patient")
