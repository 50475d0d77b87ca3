// A service that speaks first: sends messages of its own under the pattern that it is told to, and tells what came
// back.
#include <postbus/plugin.hpp>

#include <optional>
#include <string>

namespace {

using postbus::Reply;
using postbus::Request;

struct Say {
    std::string pattern, message, text;
    std::optional<std::string> address;
    static constexpr auto fields() {
        return std::tuple{postbus::field("pattern", &Say::pattern), postbus::field("message", &Say::message),
                          postbus::field("text", &Say::text), postbus::field("address", &Say::address)};
    }
};
struct SayHi {
    std::string arg0;
    static constexpr auto fields() { return std::tuple{postbus::field("arg0", &SayHi::arg0)}; }
};
struct Told {
    std::string text;
    static constexpr auto fields() { return std::tuple{postbus::field("text", &Told::text)}; }
};

class Speaker : public postbus::Service {
public:
    void start() override {
        operation("say", [this](const Say& in, const Request& request) {
            return message(in, request).wait([](const Reply& reply) { return told(reply); });
        });
        raw<Say, Told>("sayLater", postbus::nonblocking, [this](postbus::Call call) { later(std::move(call)); });
        operation("sayOnLoop", postbus::nonblocking, [this](const Say& in, const Request& request) {
            return message(in, request).wait([](const Reply& reply) { return told(reply); });
        });
    }

private:
    postbus::Invocation begin(const Say& in, const Request& request) const {
        if (in.pattern == "out-only") return outOnly(in.message, &request);
        if (in.pattern == "robust-out-only") return robustOutOnly(in.message, &request);
        if (in.pattern == "out-in") return outIn(in.message, &request);
        return outOptionalIn(in.message, &request);
    }
    postbus::Invocation message(const Say& in, const Request& request) const {
        auto made = begin(in, request).with("http://cxf.examples.servicemix.apache.org/", "sayHi", SayHi{in.text});
        if (!in.address || in.address->empty()) return made;
        return std::move(made).to(*in.address);
    }
    static Told told(const Reply& reply) {
        if (reply.isFault()) return {"fault: " + reply.fault().reason};
        if (reply.isDone()) return {"done"};
        const postbus::Element payload = reply.payload();
        return {"answer: " + (payload ? payload.text() : std::string("nothing"))};
    }
    /// The service's caller is answered first; what comes back is told in the log.
    void later(postbus::Call call) const {
        const auto in = call.read<Say>();
        if (!in) return call.fail(in.fault());
        auto made = message(*in, call);
        call.reply(Told{"later"});
        std::move(made).then(
            [this](const Reply& reply) { log(postbus::LogLevel::Info, "it said: " + told(reply).text); });
    }
};

}  // namespace

POSTBUS_SERVICE(Speaker, .name = "Speaker", .ns = "urn:postbus:test:speaker", .path = "/test/speaker")
