#include "plugins/messaging/hub.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "base/log/event.hpp"
#include "plugins/messaging/client.hpp"
#include "plugins/messaging/messaging_events.hpp"
#include "plugins/messaging/subscription.hpp"

namespace postbus::messaging {
namespace {

/// When a subscription that found no worker looks again.
constexpr milliseconds lookAgain{20};
/// What the loop's end may take beyond that of the hub's users.
constexpr milliseconds grace{2'000};

}  // namespace

void Hub::apply(const std::shared_ptr<queues::Engine>& engine) {
    const std::lock_guard applying(applying_);
    if (engine && engine == engine_.lock()) return;
    engine_ = engine;
    Session session;
    if (engine) session = engine->connect();
    Session former;
    {
        const std::lock_guard lock(mutex_);
        former = std::exchange(session_, session);
    }
    if (serving_) useAll(session);
}

/// With applying_.
void Hub::useAll(const Session& session) {
    std::erase_if(subscriptions_, [](const auto& each) { return each.expired(); });
    for (const auto& each : subscriptions_)
        if (const auto subscription = each.lock()) subscription->use(session);
}

void Hub::serve() {
    bool wanted = false;
    {
        const std::lock_guard applying(applying_);
        if (std::exchange(serving_, true)) return;
        Session there;
        {
            const std::lock_guard lock(mutex_);
            there = session_;
        }
        if (there) useAll(there);
        wanted = !there && !subscriptions_.empty();
    }
    if (wanted) use([](const Result<Session>&) {});
}

Session Hub::session() const {
    const std::lock_guard lock(mutex_);
    return fetching_ || stopped_ ? nullptr : session_;
}

void Hub::use(Use use) {
    Session session;
    bool stopped = false;
    {
        const std::lock_guard lock(mutex_);
        stopped = stopped_;
        if (!stopped && (fetching_ || !session_)) {
            waiting_.push_back(std::move(use));
            if (std::exchange(fetching_, true)) return;
            if (fetcher_.joinable()) fetcher_.join();  // it has said that it ends
            fetcher_ = std::thread([this] { fetch(); });
            return;
        }
        session = session_;
    }
    if (stopped) return use(Error(Error::Kind::Unavailable, "the queues are closed: the bus ends"));
    use(std::move(session));
}

/// Has the engine opened, which may take as long as it takes, and serves those who wait for it, in their order. Those
/// who come when it has been tried in vain have it tried again.
void Hub::fetch() {
    for (;;) {
        Error why(Error::Kind::Unavailable, "the queues are just being opened anew; try again");
        if (auto engine = open_(); !engine)
            why = std::move(engine).error();
        else
            apply(*engine);
        for (bool there = true; there;) {
            std::vector<Use> some;
            Session session;
            {
                const std::lock_guard lock(mutex_);
                if (waiting_.empty()) {
                    fetching_ = false;
                    return;
                }
                some.swap(waiting_);
                session = session_;
            }
            there = session != nullptr;
            for (const Use& each : some) there ? each(session) : each(why);
        }
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) {
            fetching_ = false;
            return;
        }
    }
}

bool Hub::onLoop() const {
    bool loop = false;
    bus_.visitPools([&](const core::ExchangePool& pool) { loop = loop || pool.loop().here(); });
    return loop;
}

/// With mutex_.
bool Hub::ensureLoop() {
    if (!loop_ && !loopEnded_) loop_ = std::make_shared<queue::QueueLoop>(bus_, "plugin-queues");
    return !loopEnded_;
}

bool Hub::post(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    if (!ensureLoop()) return false;
    loop_->post(std::move(task));
    return true;
}

void Hub::call(const Owner& owner, std::string_view what, std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        if (ensureLoop()) {
            return loop_->post([this, &owner, what, task = std::move(task)] {
                const core::LoopSight::Call inside(loop_->exchanges().sight(), owner.name(), what, {}, TimePoint{});
                task();
            });
        }
    }
    task();
}

void Hub::join(Client& client) {
    const std::lock_guard lock(clientsMutex_);
    clients_.push_back(&client);
    if (draining_) client.leave();
}
void Hub::leave(Client& client) {
    const std::lock_guard lock(clientsMutex_);
    std::erase(clients_, &client);
}

void Hub::open(const std::shared_ptr<Subscription>& subscription) {
    Session there;
    {
        const std::lock_guard applying(applying_);
        std::erase_if(subscriptions_, [](const auto& each) { return each.expired(); });
        subscriptions_.push_back(subscription);
        if (!serving_) return;
        {
            const std::lock_guard lock(mutex_);
            there = session_;
        }
        if (there) subscription->use(there);
    }
    // Whoever opens the queues has it take from them.
    if (!there) use([](const Result<Session>&) {});
}

void Hub::again(std::weak_ptr<Subscription> subscription) {
    {
        const std::lock_guard lock(mutex_);
        starved_.push_back(std::move(subscription));
        if (starved_.size() > 1) return;
    }
    (void)post([this] { loop_->setTimer(again_, Clock::now() + lookAgain); });
}

void Hub::Again::onTimer() {
    std::vector<std::weak_ptr<Subscription>> starved;
    {
        const std::lock_guard lock(owner.mutex_);
        starved.swap(owner.starved_);
    }
    for (const auto& each : starved)
        if (const auto subscription = each.lock()) subscription->resume();
}

std::size_t Hub::atWork() const {
    const std::lock_guard lock(clientsMutex_);
    std::size_t count = 0;
    for (const Client* each : clients_) count += each->atWork();
    return count;
}

bool Hub::idle() const {
    const std::lock_guard lock(clientsMutex_);
    return std::all_of(clients_.begin(), clients_.end(), [](const Client* each) { return each->idle(); });
}

void Hub::drain(TimePoint deadline) {
    {
        const std::lock_guard lock(clientsMutex_);
        draining_ = true;
        for (Client* each : clients_) each->leave();
    }
    while (!idle() && Clock::now() < deadline) std::this_thread::sleep_for(milliseconds(5));
}

void Hub::stop() {
    drain(Clock::now());
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(stopped_, true)) return;
    }
    if (fetcher_.joinable()) fetcher_.join();
    {
        const std::lock_guard lock(clientsMutex_);
        for (Client* each : clients_) each->giveUp();
    }
    apply(nullptr);
    (void)post([this] { loop_->cancelTimer(again_); });
    std::shared_ptr<queue::QueueLoop> loop;
    {
        const std::lock_guard lock(mutex_);
        loopEnded_ = true;
        loop = loop_;
    }
    // Calls to endpoints that were begun on it come back to it, some day: then it is left to the process.
    if (loop && !loop->finish(Clock::now() + grace)) new std::shared_ptr<queue::QueueLoop>(loop);
}

}  // namespace postbus::messaging
