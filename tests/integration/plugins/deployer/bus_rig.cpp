#include "bus_rig.hpp"

namespace postbus::test {
namespace {

/// Takes every request for the endpoint's first operation, and sends bytes as they are.
class PlainBinding final : public core::Binding {
public:
    bool claims(const core::RequestHead&) const override { return true; }
    std::string_view methods() const override { return "POST"; }
    Result<void> read(core::Exchange&) const override { return ok(); }
    Result<void> unwrap(core::Exchange& exchange) const override {
        exchange.identify(exchange.admission().route->endpoint->contract().operations.front(), POSTBUS_NO_NODE,
                          POSTBUS_NO_NODE);
        return ok();
    }
    void prepare(core::Exchange& exchange) const override {
        exchange.draft().bytes.clear(core::transportHeadroom);
        exchange.draft().writer.begin(exchange.draft().bytes);
    }
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        answer.body = std::move(exchange.draft().bytes);
        answer.contentType = exchange.draft().contentType;
        answer.headers = exchange.draft().headers;
        return ok();
    }
    core::WireAnswer writeFault(const core::RequestHead&, const core::Exchange*, const core::Fault& fault,
                                std::string_view, Buffer memory) const override {
        core::WireAnswer answer;
        answer.status = 500;
        memory.append(fault.reason);
        answer.body = std::move(memory);
        return answer;
    }
};

struct Remember final : core::Replier {
    Remember(Caller& owner, std::string& into, bool& done) : caller(owner), text(into), answered(done) {}
    void answer(core::WireAnswer&& its) override {
        text = (its.status == 200 ? "" : "fault: ") + std::string(its.body.view());
        caller.contentType = its.contentType;
        caller.headers.clear();
        for (const auto& [name, value] : its.headers) ((caller.headers.emplace_back(name) += ": ") += value);
        answered = true;
    }
    Caller& caller;
    std::string& text;
    bool& answered;
};

}  // namespace

Result<void> BusRig::publish(const std::vector<deployer::ActiveService>& services) {
    auto table = std::make_shared<core::RouteTable>();
    for (const auto& each : services) {
        core::Route route;
        route.name = each.name;
        route.path = each.path;
        route.endpoint = each.endpoint;
        route.bindings.push_back(std::make_shared<PlainBinding>());
        if (auto added = table->add(std::move(route)); !added) return added;
    }
    bus.publish(std::move(table));
    return ok();
}

std::string Caller::call(const std::string& path) {
    request_.clear();
    request_.head.method = "POST";
    request_.head.path = path;
    request_.head.headers.add("User-Agent", "rig/1");
    core::Admission admission = rig_.bus.port().admit(request_.head);
    if (!rig_.bus.port().check(admission, request_.head)) return "404";

    std::string text;
    bool done = false;
    rig_.bus.port().receive(pool_, std::move(admission), request_,
                            core::ReplyTo(std::make_shared<Remember>(*this, text, done)), milliseconds(0));
    ++rig_.received;
    runUntil(done);
    return text;
}

void Caller::post(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    wake_.notify_one();
}

void Caller::runUntil(const bool& done) {
    while (!done) {
        std::vector<std::function<void()>> tasks;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return !tasks_.empty(); });
            tasks.swap(tasks_);
        }
        for (auto& each : tasks) each();
    }
}

}  // namespace postbus::test
