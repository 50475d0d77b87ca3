#include "server/daemon/queues.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/log/event.hpp"
#include "queues/store/sqlite_store.hpp"
#include "server/daemon/daemon_events.hpp"

namespace postbus::server {
namespace {

/// How long those that use the engine at the moment of a reopen() may take.
constexpr std::chrono::seconds patience{10};

std::vector<queue::QueueEndpoint> endpointsOf(const DaemonConfig& config,
                                              const std::map<std::string, queues::QueueSettings>& settings) {
    std::vector<queue::QueueEndpoint> all;
    for (const auto& [name, endpoint] : config.endpoints) {
        if (endpoint.queue) {
            const EndpointQueueConfig& queue = *endpoint.queue;
            all.push_back(
                {name, queue.name, queue.consumers, queue.prefetch, settings.at(queue.name).maxDeliveries, {}, {}});
        }
        if (endpoint.topic) {
            const EndpointTopicConfig& topic = *endpoint.topic;
            queues::SubscriptionOptions subscription;
            subscription.name = topic.subscription.empty() ? name : topic.subscription;
            subscription.durable = topic.durable;
            subscription.shared = true;  // so that it may have several consumers
            subscription.selector = topic.selector;
            const queues::QueueSettings its = topic.settings();
            all.push_back(
                {name, topic.name, topic.consumers, topic.prefetch, its.maxDeliveries, std::move(subscription), its});
        }
    }
    return all;
}

bool namesQueue(const std::vector<std::string>& addresses) {
    return std::any_of(addresses.begin(), addresses.end(), [](const std::string& each) {
        return core::sameName(std::string_view(each).substr(0, 4), "jms:");
    });
}

/// Whether messages or answers may go to queues, or come from topics, so that they have to be open before the first
/// does.
bool usesQueues(const DaemonConfig& config) {
    for (const auto& [name, endpoint] : config.endpoints) {
        if (endpoint.topic || endpoint.toDestination()) return true;
        for (const auto& [message, out] : endpoint.out)
            if (destination::Destination::isOne(out.to) || namesQueue(out.addresses)) return true;
        const addressing::AddressingConfig its = addressingOf(endpoint.interceptors);
        if (!its.undelivered.empty() || namesQueue(its.replyTo)) return true;
    }
    return false;
}

Result<std::shared_ptr<queues::Engine>> opened(const std::string& folder, std::function<void()> onFailed) {
    queues::SqliteStore::Settings settings;
    settings.folder = folder;
    settings.onFailed = std::move(onFailed);
    auto store = queues::SqliteStore::open(settings);
    if (!store) return std::move(store).error();
    auto engine = queues::Engine::open(std::move(*store));
    if (!engine) return std::move(engine).error();
    (*engine)->start();
    return std::shared_ptr<queues::Engine>(std::move(*engine));
}

}  // namespace

std::shared_ptr<queues::Engine> Queues::current() const {
    const std::lock_guard lock(mutex_);
    return engine_;
}

std::string Queues::trouble() const {
    const std::lock_guard lock(mutex_);
    if (!engine_) return trouble_;
    return engine_->storeState() == queues::QueueStore::State::Failed
               ? "the queue store has failed; after the cause is mended: postbus queue reopen"
               : std::string();
}

/// On the store's thread.
void Queues::onFailed() {
    if (!exitOnFailure_ || exiting_.exchange(true)) return;
    log::emit(DaemonGivesUp);
    kill(getpid(), SIGTERM);
}

/// With changing_.
Result<void> Queues::open() {
    if (stopped_) return Error(Error::Kind::Unavailable, "the daemon is stopping");
    if (current()) return ok();
    auto engine = opened(folder_, [this] { onFailed(); });
    const std::lock_guard lock(mutex_);
    trouble_.clear();
    if (engine) {
        engine_ = std::move(*engine);
        return ok();
    }
    trouble_ = "the queue store is not open: " + engine.error().message();
    log::emit(QueuesUnopened, {{"reason", engine.error().message()}});
    return std::move(engine).error();
}

/// With changing_.
void Queues::apply() {
    const auto engine = current();
    if (engine)
        for (const auto& [name, settings] : settings_)
            if (auto declared = engine->declareQueue(name, settings); !declared)
                log::emit(QueueSettingsRefused, {{"queue", name}, {"reason", declared.error().message()}});
    transport_.apply(engine, endpoints_);
    plugins_.apply(engine);
}

void Queues::configure(const DaemonConfig& config) {
    const std::lock_guard lock(changing_);
    exitOnFailure_ = config.queue.onFailure == OnFailure::Exit;
    settings_ = queuesOf(config);
    endpoints_ = endpointsOf(config, settings_);
    if (!settings_.empty() || usesQueues(config)) (void)open();
    apply();
    plugins_.serve();
}

Result<std::shared_ptr<queues::Engine>> Queues::engine() {
    if (auto there = current()) return there;
    const std::lock_guard lock(changing_);
    if (current()) return current();
    if (auto good = open(); !good) return std::move(good).error();
    apply();
    return current();
}

Result<std::shared_ptr<queues::Engine>> Queues::engineIfAny() {
    std::error_code ignored;
    if (!current() && !std::filesystem::exists(folder_, ignored)) return std::shared_ptr<queues::Engine>();
    return engine();
}

Result<void> Queues::reopen() {
    const std::lock_guard lock(changing_);
    transport_.apply(nullptr, {});
    plugins_.apply(nullptr);
    std::weak_ptr<queues::Engine> watch;
    {
        std::shared_ptr<queues::Engine> old;
        {
            const std::lock_guard pointer(mutex_);
            old.swap(engine_);
        }
        if (old) (void)old->stop();  // fails for one that has failed
        watch = old;
    }
    for (const TimePoint until = Clock::now() + patience; !watch.expired();
         std::this_thread::sleep_for(milliseconds(2)))
        if (Clock::now() >= until) return Error(Error::Kind::Unavailable, "the queues are in use; try again");
    if (auto good = open(); !good) return good;
    apply();
    return ok();
}

void Queues::drain(TimePoint deadline) {
    plugins_.drain(Clock::now());
    {
        const std::lock_guard lock(changing_);
        transport_.stop(deadline);
        endpoints_.clear();
    }
    plugins_.drain(deadline);
}

void Queues::stop() {
    {
        const std::lock_guard lock(changing_);
        stopped_ = true;
        std::shared_ptr<queues::Engine> old;
        {
            const std::lock_guard pointer(mutex_);
            old.swap(engine_);
        }
        if (old) (void)old->stop();
    }
    // Without the lock: it may wait for someone who opens the engine.
    plugins_.stop();
}

}  // namespace postbus::server
