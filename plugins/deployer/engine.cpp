#include "plugins/deployer/engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/order_in_hand.hpp"

namespace postbus::deployer {
namespace {

constexpr std::size_t maxOverdue = 8, keptContents = 16;
constexpr unsigned manyLoaded = 32;  // since the cache was pruned last
constexpr milliseconds rescan{5'000}, pruning{600'000};

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& each : names) (text += text.empty() ? "" : ",") += each;
    return text;
}

Error taken(const std::string& service, const std::string& plugin, const std::string& file) {
    return Error::invalid("service " + service + " is taken by plugin " + plugin + " (" + file +
                          "); rename one of them");
}

}  // namespace

/// Once for each content and reason.
void Engine::tellRefusal(Entry& entry, PluginState state, const std::string& content, const std::string& reason) {
    std::string told = content + '\n' + reason;
    if (entry.told == told) return;
    entry.told = std::move(told);
    enter(state, entry, reason);
    if (!entry.bundled) noteFailure(entry, reason);
    log::emit(state == PluginState::Failed ? PluginFailed : PluginRefused,
              {{"file", entry.path}, {"reason", reason}, {"hash", content.substr(0, 12)}});
}

Engine::Engine(DeployerOptions options, Deployer::Publish publish, std::shared_ptr<Reaper> reaper, StateLog& states)
    : options_(std::move(options)),
      publish_(std::move(publish)),
      reaper_(std::move(reaper)),
      states_(states),
      cache_(options_.cache),
      history_(options_.cache + "/served"),
      watch_(options_.folder),
      retirement_(reaper_, activity_, states),
      trials_(options_.probe, [reaper = reaper_] { reaper->wake(); }) {}

Engine::~Engine() = default;

void Engine::enter(PluginState state, const Entry& entry, std::string reason) {
    StateChange change;
    change.state = state;
    if (entry.content) {
        change.plugin = entry.content->identity.plugin;
        change.version = entry.content->identity.version;
        change.hash = entry.content->hash;
    }
    change.file = entry.file;
    change.reason = std::move(reason);
    states_.enter(std::move(change));
}

void Engine::prepare() {
    if (access(options_.probe.c_str(), X_OK) != 0)
        throw std::runtime_error("plugin probe " + options_.probe +
                                 " is not there or not executable; it belongs beside "
                                 "the bus's own program (postbus-probe)");
    cache_.prepare();
    history_.load();
    std::error_code problem;
    std::filesystem::create_directories(options_.folder, problem);  // if not, the first look says so
}

TimePoint Engine::round() {
    next_ = Clock::now() + rescan;
    look();
    carryOut();
    if (!heldBack_ || !trying()) reconcile();
    forgetFailures();
    wakeAt(retirement_.progress());
    pruneCache();
    return next_;
}

void Engine::publishIfNever() {
    if (!published_) (void)publish({});
}

bool Engine::deploy(Entry& entry) {
    const TimePoint begun = Clock::now();
    auto loaded = load(entry);
    if (!loaded) {
        const Error& why = loaded.error();
        if (why.kind() == Error::Kind::Unavailable) {
            wait(entry, why.message());
        } else {
            const bool started = why.kind() != Error::Kind::Internal;
            turnDown(entry, started ? PluginState::Refused : PluginState::Failed, 0, why.message());
        }
        return false;
    }
    std::shared_ptr<Generation> newcomer = share(std::move(*loaded), reaper_);
    const std::string plugin = newcomer->plugin();
    if (auto offered = offer(plugin, newcomer); !offered) {
        turnDown(entry, PluginState::Refused, epoch_, offered.error().message());
        newcomer->leaveQueues();
        retirement_.expect(*newcomer, entry.file, entry.content->hash, entry.bundled, Clock::now() + options_.drain);
        return false;
    }
    replace(entry, std::move(newcomer), begun);
    return true;
}

Result<std::unique_ptr<Generation>> Engine::load(Entry& entry) {
    Content& content = *entry.content;
    if (retirement_.overdue(content.identity.plugin) >= maxOverdue)
        return Error::invalid("too many former versions of plugin " + content.identity.plugin + " (" +
                              std::to_string(maxOverdue) + ") hold calls that never ended; restart the bus");
    const auto inUse = pathsInUse();
    if (inUse.count(content.copy)) {
        auto another = cache_.storeAgain(content.hash, entry.stem, content.copy, inUse);
        if (!another) return std::move(another).error();
        content.copy = std::move(*another);
    } else if (access(content.copy.c_str(), R_OK) != 0) {
        content.key.clear();  // as if it were new: it is read and copied again
        return Error(Error::Kind::Unavailable, "the plugin cache has lost its copy");
    }
    ++loaded_;
    enter(PluginState::Loading, entry);
    activity_.begin("the start of plugin " + content.identity.plugin + " (" + entry.path + ")");
    auto loaded = Generation::load(content.copy,
                                   {content.identity.plugin, content.identity.version, content.contract.document,
                                    content.contract.others, options_.bus, options_.queues},
                                   [&] { enter(PluginState::Starting, entry); });
    activity_.end();
    return loaded;
}

Result<void> Engine::offer(const std::string& plugin, const std::shared_ptr<Generation>& newcomer) {
    std::vector<ActiveService> all;
    for (const auto& [name, active] : active_) {
        if (name == plugin || leaving_.count(name)) continue;
        for (auto& each : active.generation->services(active.generation)) {
            if (newcomer->has(each.name)) return taken(each.name, name, active.file);
            all.push_back(std::move(each));
        }
    }
    for (auto& each : newcomer->services(newcomer)) all.push_back(std::move(each));
    return publish(all);
}

Result<void> Engine::publish(const std::vector<ActiveService>& services) {
    try {
        auto done = publish_(services);
        published_ = published_ || done;
        return done;
    } catch (const std::exception& thrown) {
        return Error::internal(thrown.what());
    }
}

void Engine::replace(Entry& entry, std::shared_ptr<Generation> newcomer, TimePoint begun) {
    const std::string plugin = newcomer->plugin();
    const auto former = active_.find(plugin);
    const std::string formerVersion = former == active_.end() ? "" : former->second.generation->version();
    const std::string services = joined(newcomer->serviceNames());
    // Before the former leaves, so that no topic is without its subscriber.
    newcomer->takeMessages();
    history_.serves(plugin, {entry.content->hash, newcomer->version(), entry.file, entry.content->copy});
    Active now{std::move(newcomer), entry.path, entry.file, entry.content->hash, entry.content->key, entry.bundled};
    entry.turnedDown.clear();
    entry.told.clear();
    enter(PluginState::Active, entry);
    const bool first = former == active_.end();
    if (!first) {
        ++epoch_;
        retire(former->second, Clock::now() + options_.drain);
        former->second = std::move(now);
    } else {
        active_.emplace(plugin, std::move(now));
    }
    // After the former was told to take nothing more: who waits for this line meets the new one alone.
    const double millis = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    const std::string version = entry.content->identity.version, hash = entry.content->hash.substr(0, 12);
    if (first)
        log::emit(PluginActive, {{"plugin", plugin},
                                 {"version", version},
                                 {"file", entry.path},
                                 {"hash", hash},
                                 {"services", services},
                                 {"millis", millis}});
    else
        log::emit(PluginReplaced, {{"plugin", plugin},
                                   {"version", version},
                                   {"former", formerVersion},
                                   {"file", entry.path},
                                   {"hash", hash},
                                   {"services", services},
                                   {"millis", millis}});
    undeployLeaving();
}

void Engine::withdrawLeaving() {
    std::vector<ActiveService> rest;
    for (const auto& [name, active] : active_) {
        if (leaving_.count(name)) continue;
        for (auto& each : active.generation->services(active.generation)) rest.push_back(std::move(each));
    }
    if (auto done = publish(rest); !done) {
        // Its services are still in the bus's hands: tried again at the next look.
        for (const auto& each : leaving_)
            log::emit(PluginFailed, {{"plugin", each}, {"reason", "can't be undeployed: " + done.error().message()}});
        return;
    }
    undeployLeaving();
}

void Engine::undeployLeaving() {
    for (const auto& plugin : std::exchange(leaving_, {})) {
        const auto found = active_.find(plugin);
        if (found == active_.end()) continue;
        ++epoch_;
        log::emit(PluginUndeployed,
                  {{"plugin", plugin}, {"version", found->second.generation->version()}, {"file", found->second.path}});
        retire(found->second, Clock::now() + options_.drain);
        active_.erase(found);
    }
}

void Engine::retire(const Active& active, TimePoint deadline) {
    active.generation->leaveQueues();
    retirement_.expect(*active.generation, active.file, active.hash, active.bundled, deadline);
}

void Engine::retireAll(TimePoint deadline) {
    for (auto& [plugin, active] : active_) retire(active, deadline);
    active_.clear();
}

void Engine::turnDown(Entry& entry, PluginState state, std::uint64_t epoch, const std::string& reason) {
    entry.turnedDown = entry.content->key;
    entry.turnedDownAt = epoch;
    entry.standing = state;
    entry.reason = reason;
    tellRefusal(entry, state, entry.content->hash, reason);
}

std::set<std::string> Engine::pathsInUse() const {
    std::set<std::string> paths;
    for (const auto& [plugin, active] : active_) paths.insert(active.generation->copy());
    retirement_.addPathsInUse(paths);
    return paths;
}

void Engine::pruneCache() {
    const TimePoint now = Clock::now();
    if (now < pruneAt_ && loaded_ < manyLoaded) return;
    pruneAt_ = now + pruning;
    loaded_ = 0;
    auto keep = pathsInUse();
    for (const auto& [path, entry] : entries_) {
        if (entry.content) keep.insert(entry.content->copy);
        if (entry.trial) keep.insert(entry.trial->copy);
    }
    for (const OrderInHand& each : orders_)
        if (each.entry.trial) keep.insert(each.entry.trial->copy);
    history_.addCopies(keep);
    cache_.prune(keptContents, keep);
}

std::vector<ActiveService> Engine::services() const {
    std::vector<ActiveService> all;
    for (const auto& [plugin, active] : active_)
        for (auto& each : active.generation->services(active.generation)) all.push_back(std::move(each));
    return all;
}

std::vector<PluginStatus> Engine::status() const {
    std::vector<PluginStatus> rows;
    for (const auto& [plugin, active] : active_)
        rows.push_back({plugin, active.generation->version(), active.file, active.hash, "", PluginState::Active,
                        active.bundled, active.generation->serviceNames()});
    for (const auto& [path, entry] : entries_) {
        PluginStatus row;
        row.file = entry.file;
        row.bundled = entry.bundled;
        if (!entry.fault.empty()) {
            row.state = PluginState::Refused;
            row.reason = entry.fault;
            row.hash = entry.faultKey.substr(0, 64);
        } else if (!entry.looked) {
            row.reason = entry.waiting.empty() ? "it was changed a moment ago" : entry.waiting;
        } else if (entry.standing == PluginState::Active) {
            continue;
        } else {
            row.state = entry.standing;
            row.reason = entry.reason;
        }
        if (entry.fit()) {
            row.name = entry.content->identity.plugin;
            row.version = entry.content->identity.version;
            row.hash = entry.content->hash;
        }
        rows.push_back(std::move(row));
    }
    retirement_.addStatus(rows);
    return rows;
}

}  // namespace postbus::deployer
