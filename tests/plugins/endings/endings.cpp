// Ends a call in every way there is, right or wrong, as the call says. Built as two versions that replace each other.
#include <postbus/plugin.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

using namespace std::chrono_literals;
using postbus::Call;
using postbus::Fault;
using postbus::Request;
using postbus::Task;

struct How {
    std::string how;
    static constexpr auto fields() { return std::tuple{postbus::field("how", &How::how)}; }
};

class Endings : public postbus::Service {
public:
    void start() override {
        raw<How, How>("inline", postbus::nonblocking, [this](Call call) { end(std::move(call), true); });
        raw<How, How>("pooled", [this](Call call) { end(std::move(call), false); });
        operation("task", postbus::nonblocking,
                  [this](const How& in, const Request& request) { return task(in, request); });
        oneway("only", postbus::nonblocking,
               [this](const How& in, const Request& request) { return none(in, request); });
        robust("robust", [](const How& in) {
            if (in.how == "throw") throw std::runtime_error("thrown");
        });
        operation("optional", postbus::nonblocking,
                  [](const How& in) { return in.how == "forget" ? std::nullopt : std::optional(in); });
    }

private:
    void end(Call call, bool onLoop) const {
        const auto in = call.read<How>();
        if (!in) return call.fail(in.fault());
        const std::string& how = in->how;
        if (how == "fault") return call.fail(Fault::sender("as asked"));
        if (how == "throw") throw std::runtime_error("thrown");
        if (how == "forget") return;
        if (how == "hold") return hold(std::move(call));
        if (how == "twice" && onLoop) {
            // Against the rules; a Call of the SDK does not allow it.
            auto* const raw = const_cast<postbus_call*>(postbus::sdk::RequestAccess::call(call));
            const postbus_host* const host = postbus::sdk::RequestAccess::home(call).host;
            call.reply(*in);
            return host->reply(raw);
        }
        call.reply(*in);
    }

    /// Is answered when nobody waits any more.
    static void hold(Call call) {
        struct Held {
            Call call;
            std::atomic<int> ready{0};
            std::optional<postbus::OnCancel<std::function<void()>>> watch{};
            void come() {
                if (ready.fetch_add(1) == 0) return;
                const std::unique_ptr<Held> mine(this);
                call.fail(Fault::receiver("too late"));
            }
        };
        auto* const held = new Held{std::move(call)};
        held->watch.emplace(held->call, [held] { held->come(); });
        held->come();
    }

    Task<How> task(const How& in, const Request& request) const {
        if (in.how == "throw") throw std::runtime_error("thrown at once");
        if (in.how == "hold") co_await pause(request, 1h);
        if (in.how == "fault" || in.how == "forget") {
            co_await pause(request, 1ms);
            throw Fault::receiver("thrown later");
        }
        if (in.how == "twice") {
            co_await onWorker();
            co_return co_await nested("inline", "reply", request);
        }
        co_return co_await nested("pooled", in.how, request);
    }
    Task<How> nested(std::string operation, std::string how, const Request& request) const {
        auto ask = invoke(request, "Endings").with("urn:postbus:test:endings", operation, How{how});
        const auto answer = co_await ask.async<How>();
        if (!answer) throw answer.fault();
        co_return *answer;
    }
    Task<> none(const How& in, const Request& request) const {
        if (in.how == "throw") throw std::runtime_error("unheard");
        co_await pause(request, 1ms);
    }
};

}  // namespace

POSTBUS_SERVICE(Endings, .name = "Endings", .ns = "urn:postbus:test:endings", .version = VERSION,
                .path = "/test/endings")
