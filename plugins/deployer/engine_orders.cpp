// What operators ask for: done at once, without the quiet time that files have.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/engine.hpp"
#include "plugins/deployer/order_in_hand.hpp"
#include "plugins/deployer/whole_file.hpp"
#include "security/crypto/sha256.hpp"

namespace postbus::deployer {
namespace {

constexpr std::size_t longestName = 200;
constexpr const char* kinds[] = {"deploy", "undeploy", "rollback", "enable", "disable"};

/// A name that means the same in every shell and file system.
bool plainName(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.';
    };
    return name.size() <= longestName && std::all_of(name.begin(), name.end(), plain);
}

Error folderRefuses(const std::string& what) { return {Error::Kind::Unavailable, what + ": " + std::strerror(errno)}; }

}  // namespace

void Engine::hand(OrderDesk::Handed handed) {
    OrderInHand& its = orders_.emplace_back();
    its.order = std::move(handed.order);
    its.answer = std::move(handed.answer);
    if (its.order.kind != Order::Kind::Deploy) return;
    its.hash = crypto::sha256(its.order.bytes);
    if (!plainName(its.order.name) || kindOf(its.order.name) != FileKind::Plugin)
        its.outcome = Error::invalid("'" + its.order.name +
                                     "' is no name for a plugin file: NAME.so, with letters, digits, '-', '_' and '.'");
}

void Engine::carryOut() {
    if (heldBack_) return;
    for (OrderInHand& each : orders_)
        if (!each.outcome) each.outcome = carryOut(each);
}

Engine::Outcome Engine::carryOut(OrderInHand& its) {
    switch (its.order.kind) {
        case Order::Kind::Deploy:
            return deployGiven(its);
        case Order::Kind::Undeploy:
            return undeploy(its.order.name);
        case Order::Kind::Rollback:
            return rollBack(its);
        case Order::Kind::Enable:
            return enable(its);
        case Order::Kind::Disable:
            return disable(its.order.name);
    }
    return Error::internal("an order of an unknown kind");
}

void Engine::answerOrders() {
    for (auto each = orders_.begin(); each != orders_.end();) {
        if (!each->outcome) {
            ++each;
            continue;
        }
        log::emit(PluginOrdered, {{"order", kinds[static_cast<std::size_t>(each->order.kind)]},
                                  {"name", each->order.name},
                                  {"outcome", *each->outcome ? "done" : each->outcome->error().message()}});
        each->answer(std::move(*each->outcome));
        each = orders_.erase(each);
    }
}

void Engine::refuseOrders() {
    for (OrderInHand& each : orders_) each.outcome = Error(Error::Kind::Unavailable, "the bus is stopping");
    answerOrders();
}

Engine::Outcome Engine::deployGiven(OrderInHand& its) {
    Entry& entry = its.entry;
    if (entry.trial && trials_.pending(entry.trial->copy)) return std::nullopt;
    if (entry.file.empty()) {
        entry.file = its.order.name;
        entry.path = options_.folder + '/' + entry.file;
        entry.stem = stemOf(entry.file);
        enter(PluginState::Verifying, entry);
    }
    auto content = admit(entry, its.order.bytes, its.hash);
    if (entry.trial) return std::nullopt;
    if (content) return putToService(its, std::move(*content));
    // Not beside a file of the folder: nothing of this is there.
    log::emit(PluginRefused,
              {{"file", entry.path}, {"reason", content.error().message()}, {"hash", its.hash.substr(0, 12)}});
    enter(PluginState::Refused, entry, content.error().message());
    return std::move(content).error().in(entry.file);
}

/// The file's name in the folder: a plugin stays where it is.
Result<std::string> Engine::placeOf(const std::string& plugin, const std::string& file) const {
    std::string place = file;
    const auto active = active_.find(plugin);
    if (active != active_.end() && !active->second.bundled) {
        place = active->second.file;
    } else {
        for (const auto& [path, entry] : entries_)
            if (!entry.bundled && entry.content && entry.content->identity.plugin == plugin) place = entry.file;
    }
    const auto there = entries_.find(options_.folder + '/' + place);
    if (there != entries_.end() && there->second.content && there->second.content->identity.plugin != plugin)
        return Error::invalid(place + " holds plugin " + there->second.content->identity.plugin +
                              ", and this is plugin " + plugin + "; give the file another name");
    const std::string stem(stemOf(place));
    if (disabled_.count(stem))
        return Error::invalid("plugin " + plugin + " is disabled by " + stem +
                              ".disabled; enable it first: " + "postbus plugin enable " + plugin);
    return place;
}

Result<OrderDone> Engine::putToService(OrderInHand& its, Content content) {
    if (!folderTrouble_.empty())
        return Error(Error::Kind::Unavailable,
                     "the deploy folder " + options_.folder + " can't be used: " + folderTrouble_);
    const std::string plugin = content.identity.plugin;
    auto place = placeOf(plugin, its.order.name);
    if (!place) return std::move(place).error();
    Entry& entry = its.entry;
    entry.file = std::move(*place);
    entry.path = options_.folder + '/' + entry.file;
    entry.stem = stemOf(entry.file);
    if (auto described = describe(entry, std::move(content)); !described) return std::move(described).error();

    HeldFile file(entry.path, its.order.bytes, 0644);
    if (!file) return folderRefuses("it can't be written into the deploy folder");
    const auto active = active_.find(plugin);
    const std::string former = active == active_.end() ? "" : active->second.generation->version();
    const bool unchanged = active != active_.end() && active->second.key == entry.content->key;
    if (unchanged) {
        active->second.path = entry.path;
        active->second.file = entry.file;
        active->second.bundled = false;
    } else if (!deploy(entry)) {
        if (!entry.waiting.empty()) return Error(Error::Kind::Unavailable, entry.waiting).in(its.order.name);
        return Error::invalid(entry.reason).in(its.order.name);
    }
    if (!file.put())
        return folderRefuses("it served, but can't be put into the deploy folder, and what lies there serves again");
    keep(entry);
    OrderDone done = standingOf(plugin, entry.file);
    done.former = former;
    done.unchanged = unchanged;
    return done;
}

Engine::Outcome Engine::rollBack(OrderInHand& its) {
    if (its.hash.empty()) {
        const std::string& plugin = its.order.name;
        const auto active = active_.find(plugin);
        const auto former = history_.before(plugin, active == active_.end() ? "" : active->second.hash);
        if (!former && active == active_.end() && filesOf(plugin).empty()) return unknown(plugin);
        if (!former) return Error(Error::Kind::NotFound, "no other version of plugin " + plugin + " has served here");
        auto bytes = readWhole(former->copy, maxPlugin);
        if (!bytes || crypto::sha256(*bytes) != former->hash)
            return Error(Error::Kind::NotFound, "the plugin cache has lost version " + former->version + " of plugin " +
                                                    plugin + "; deploy its file");
        its.hash = former->hash;
        its.order.name = former->file;
        its.order.bytes = std::move(*bytes);
    }
    return deployGiven(its);
}

Result<OrderDone> Engine::undeploy(const std::string& plugin) {
    const auto files = filesOf(plugin);
    if (files.empty()) return unknown(plugin);
    if (std::all_of(files.begin(), files.end(), [](const Entry* each) { return each->bundled; }))
        return Error::invalid("plugin " + plugin + " comes with the bus, not from the deploy folder; hide it: " +
                              "postbus plugin disable " + plugin);
    const auto active = active_.find(plugin);
    const std::string former = active == active_.end() ? "" : active->second.generation->version();
    std::string removed;
    for (const Entry* each : files) {
        if (each->bundled) continue;
        if (unlink(each->path.c_str()) != 0 && errno != ENOENT) return folderRefuses(each->file + " can't be removed");
        removed = each->file;
        entries_.erase(std::string(each->path));
    }
    reconcile();
    OrderDone done = standingOf(plugin, removed);
    done.former = former;
    return done;
}

Result<OrderDone> Engine::disable(const std::string& plugin) {
    const auto files = filesOf(plugin);
    if (files.empty()) return unknown(plugin);
    const auto active = active_.find(plugin);
    const std::string former = active == active_.end() ? "" : active->second.generation->version();
    bool unchanged = true;
    for (const Entry* each : files) {
        if (isDisabled(*each)) continue;
        unchanged = false;
        if (!writeWhole(options_.folder + '/' + each->stem + ".disabled", "", 0644, Flush::Yes))
            return folderRefuses(each->stem + ".disabled can't be written into the deploy folder");
        disabled_.insert(each->stem);
    }
    reconcile();
    OrderDone done = standingOf(plugin, files.front()->file);
    done.former = former;
    done.unchanged = unchanged;
    return done;
}

Engine::Outcome Engine::enable(OrderInHand& its) {
    const std::string& plugin = its.order.name;
    const auto files = filesOf(plugin);
    if (files.empty()) return unknown(plugin);
    for (const Entry* each : files) {
        if (!isDisabled(*each)) continue;
        const std::string mark = options_.folder + '/' + each->stem + ".disabled";
        if (unlink(mark.c_str()) != 0 && errno != ENOENT) return folderRefuses(mark + " can't be removed");
        disabled_.erase(each->stem);
        its.changed = true;
    }
    reconcile();
    const auto serves = active_.find(plugin);
    if (serves == active_.end()) {
        for (const Entry* each : files)
            if (!each->looked) return std::nullopt;
        const Entry& first = *files.front();
        return Error::invalid(first.file + ": " + (first.fault.empty() ? first.reason : first.fault));
    }
    OrderDone done = standingOf(serves->first, serves->second.file);
    done.unchanged = !its.changed;
    return done;
}

/// Of a plugin, or of a file that can't be told whose it is, by its name.
std::vector<Entry*> Engine::filesOf(const std::string& plugin) {
    std::vector<Entry*> files = all(plugin);
    if (!files.empty()) return files;
    for (auto& [path, entry] : entries_)
        if (!entry.content && (entry.file == plugin || entry.stem == plugin)) files.push_back(&entry);
    return files;
}

OrderDone Engine::standingOf(const std::string& plugin, const std::string& file) const {
    OrderDone done;
    done.plugin = plugin;
    done.file = file;
    const auto active = active_.find(plugin);
    if (active != active_.end()) {
        done.version = active->second.generation->version();
        done.file = active->second.file;
        done.bundled = active->second.bundled;
        return done;
    }
    done.state = disabled_.count(std::string(stemOf(file))) ? PluginState::Disabled : PluginState::Unloaded;
    return done;
}

Error Engine::unknown(const std::string& plugin) const {
    std::set<std::string> names;
    for (const auto& [path, entry] : entries_)
        if (entry.content) names.insert(entry.content->identity.plugin);
    std::string list;
    for (const auto& each : names) (list += list.empty() ? "; there are: " : ", ") += each;
    return {Error::Kind::NotFound, "there is no plugin " + plugin + list};
}

}  // namespace postbus::deployer
