#include "plugins/deployer/order.hpp"

#include <future>
#include <memory>
#include <utility>

namespace postbus::deployer {
namespace {

Error stopping() { return {Error::Kind::Unavailable, "the bus is stopping"}; }

}  // namespace

Result<OrderDone> OrderDesk::ask(Order order, TimePoint until, const std::function<void()>& wake) {
    const auto promise = std::make_shared<std::promise<Result<OrderDone>>>();
    auto outcome = promise->get_future();
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return stopping();
        handed_.push_back(
            {std::move(order), [promise](Result<OrderDone> done) { promise->set_value(std::move(done)); }});
    }
    wake();
    if (outcome.wait_until(until) == std::future_status::ready) return outcome.get();
    return Error(Error::Kind::Timeout, "it has not come to an end in time, and may do so later; see postbus plugins");
}

std::deque<OrderDesk::Handed> OrderDesk::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(handed_, {});
}

void OrderDesk::close() {
    std::deque<Handed> left;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        left.swap(handed_);
    }
    for (const Handed& each : left) each.answer(stopping());
}

}  // namespace postbus::deployer
