// Takes from queues and topics in all ways, and does what the messages say.
#include <postbus/plugin.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;
using postbus::Delivery;
using postbus::Task;

struct Text {
    std::string queue;
    std::optional<std::string> text;
    std::optional<std::int32_t> number;
    static constexpr auto fields() {
        return std::tuple{postbus::field("queue", &Text::queue), postbus::field("text", &Text::text),
                          postbus::field("number", &Text::number)};
    }
};
struct Answer {
    std::string text;
    static constexpr auto fields() { return std::tuple{postbus::field("text", &Answer::text)}; }
};

std::string kindOf(const postbus::QueueError& error) {
    return std::to_string(static_cast<unsigned>(error.kind)) + ' ' + error.reason;
}

class Courier : public postbus::Service {
public:
    void start() override {
        operation("send", [this](const Text& in) { return send(in); });
        operation("sendMany", [this](const Text& in) { return sendMany(in); });
        operation("take", [this](const Text& in, const postbus::Request& request) { return take(in, request); });
        operation("takeWithout", [this](const Text& in) {
            return said(queue(in.queue).receive(std::chrono::milliseconds(in.number.value_or(0))));
        });
        operation("block", postbus::nonblocking, [this](const Text& in) { return said(queue(in.queue).receive(1s)); });
        operation("async", postbus::nonblocking,
                  [this](const Text& in, const postbus::Request& request) { return async(in, request); });
        operation("publish", [this](const Text& in) { return said(topic(in.queue).send(in.text.value_or(""))); });
        queue("work").subscribe([this](const Delivery& message) { work(message); }, {.concurrency = 4, .prefetch = 20});
        queue("in-order").subscribe([this](const Delivery& message) { forward(message, "ordered"); });
        queue("as-task").subscribe([this](Delivery& message) { return workLater(message); }, {.concurrency = 4});
        queue("owned").subscribe([this](Delivery message) { own(std::move(message)); });
        topic("news").subscribe([this](const Delivery& message) { forward(message, "read"); });
        topic("ledger").subscribe([this](const Delivery& message) { forward(message, "booked"); }, {.name = "books"});
        own_ = std::thread([this] { takeAllTheTime(); });
    }
    void stop() override { own_.join(); }

private:
    static Answer said(const postbus::Sent& sent) { return {sent ? "sent" : kindOf(sent.error())}; }
    static Answer said(postbus::Received received) {
        if (!received) return {kindOf(received.error())};
        if (!*received) return {"nothing"};
        Answer answer{"got " + std::string(received->body())};
        if (const auto done = received->acknowledgeNow(); !done) return {kindOf(done.error())};
        return answer;
    }

    Answer send(const Text& in) const { return said(queue(in.queue).send(in.text.value_or(""))); }
    Answer sendMany(const Text& in) const {
        for (std::int32_t i = 0; i < in.number.value_or(1); ++i)
            if (const auto sent = queue(in.queue).send(in.text.value_or("") + std::to_string(i)); !sent)
                return said(sent);
        return {"sent"};
    }
    Answer take(const Text& in, const postbus::Request& request) const {
        return said(queue(in.queue).receive(request, std::chrono::milliseconds(in.number.value_or(0))));
    }
    Task<Answer> async(const Text& in, const postbus::Request& request) const {
        auto first = queue(in.queue).sendAsync(in.text.value_or(""));
        auto second = queue(in.queue).sendAsync(in.text.value_or("") + "!");
        const auto sent = co_await first;
        if (!sent) co_return Answer{kindOf(sent.error())};
        (void)co_await second;
        auto taking = queue(in.queue).receiveAsync(request, 5s);
        auto taken = co_await taking;
        if (!taken || !*taken) co_return Answer{"nothing"};
        Answer answer{std::string(taken->body())};
        taken->acknowledge();
        co_return answer;
    }

    void forward(const Delivery& message, std::string_view to) const {
        const std::string text = VERSION " " + std::string(message.body());
        if (const auto sent = queue(to).send(text, {.correlationId = message.id()}); !sent) throw sent.fault();
    }
    void work(const Delivery& message) const {
        const std::string_view body = message.body();
        if (body.starts_with("sleep "))
            std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(body.data() + 6)));
        if (body == "fail") throw std::runtime_error("told to fail");
        if (body == "poison") throw postbus::Fault::sender("told that it is poison");
        if (body == "die") std::abort();
        forward(message, "done");
    }
    Task<> workLater(Delivery& message) const {
        const std::string text = VERSION " " + std::string(message.body());
        if (message.body() == "fail") throw std::runtime_error("told to fail");
        auto sending = queue("done").sendAsync(text, {.correlationId = message.id()});
        const auto sent = co_await sending;
        co_await onWorker();
        if (!sent) throw sent.fault();
    }
    void own(Delivery message) const {
        if (message.body() == "drop") return;
        if (message.body() == "release" && message.attempt() == 1 && !message.redelivered()) return message.release();
        const std::string text = VERSION " " + std::string(message.body());
        queue("done").send(text, {}, [its = std::move(message)](const postbus::Sent& sent) mutable {
            sent ? its.acknowledge() : its.reject(sent.error().reason);
        });
    }

    // As a service with a thread of its own does: until it leaves.
    void takeAllTheTime() const {
        for (;;) {
            auto received = queue("by-thread").receive(1h);
            if (!received) return;
            if (!*received) continue;
            forward(*received, "done");
            received->acknowledge();
        }
    }

    std::thread own_;
};

}  // namespace

POSTBUS_SERVICE(Courier, .name = "Courier", .ns = "urn:courier", .version = VERSION, .path = "/test/courier")
