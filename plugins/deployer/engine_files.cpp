// What lies in the folders: from names to contents that are fit to be loaded.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/engine.hpp"
#include "plugins/deployer/order_in_hand.hpp"
#include "plugins/deployer/whole_file.hpp"
#include "plugins/elf/inspect.hpp"
#include "security/crypto/sha256.hpp"

namespace postbus::deployer {
namespace {

constexpr milliseconds retry{1'000};
constexpr const char* onTrial = "it is being tried out, in a process of its own";

// What a plugin's contract may consist of: nothing without a NAME.wsdl; with it any document of the folder, since only
// its text says which.
std::map<std::string, Signature> documentsOf(const Listing& listing, const std::string& file) {
    const bool contract = listing.documents.count(std::string(stemOf(file)) + ".wsdl") != 0;
    return contract ? listing.documents : std::map<std::string, Signature>();
}

std::vector<Signature> signatureOf(const Signature& plugin, const std::map<std::string, Signature>& documents) {
    std::vector<Signature> all{plugin};
    for (const auto& [name, signature] : documents) all.push_back(signature);
    return all;
}

}  // namespace

/// What lies in the folder, if it is to be taken from: whoever may write there has code of theirs run in the bus.
Result<Listing> Engine::listFolder() const {
    struct stat status {};
    if (stat(options_.folder.c_str(), &status) != 0) return Error(Error::Kind::NotFound, std::strerror(errno));
    const bool others = (status.st_mode & 022) != 0, strange = status.st_uid != geteuid() && status.st_uid != 0;
    if (others || strange)
        return Error(Error::Kind::Forbidden, std::string(strange ? "it belongs to user " + std::to_string(status.st_uid)
                                                                 : "its group or others may write to it") +
                                                 ", and so may run code in the bus; " +
                                                 (strange ? "chown" : "chmod go-w") + " it");
    return list(options_.folder);
}

/// Tells once what keeps the folder from being taken from, and that nothing does any more.
void Engine::tellFolder(const Result<Listing>& listing) {
    const std::string trouble = listing ? std::string() : listing.error().message();
    if (trouble == folderTrouble_) return;
    folderTrouble_ = trouble;
    if (listing)
        log::emit(FolderWatched, {{"folder", options_.folder}});
    else
        log::emit(listing.error().kind() == Error::Kind::Forbidden  ? FolderInsecure
                  : listing.error().kind() == Error::Kind::NotFound ? FolderMissing
                                                                    : FolderUnreadable,
                  {{"folder", options_.folder}, {"reason", trouble}});
}

void Engine::look() {
    settling_ = false;
    const bool bundledUnknown = std::any_of(
        entries_.begin(), entries_.end(), [](const auto& each) { return each.second.bundled && !each.second.looked; });
    if (!options_.bundled.empty() && (!published_ || bundledUnknown))
        if (const auto listing = list(options_.bundled)) take(*listing, options_.bundled, true);

    // Before the listing: what changes after it raises a hint.
    watch_.refresh();
    const auto listing = listFolder();
    tellFolder(listing);
    if (!listing) {
        wakeAt(Clock::now() + options_.quiet);
    } else {
        if (!watch_.watching() && !unwatched_) log::emit(FolderUnwatched, {{"folder", options_.folder}});
        unwatched_ = !watch_.watching();
        disabled_ = listing->disabled;
        failed_ = listing->failed;
        for (const auto& each : listing->ignored)
            if (ignored_.insert(each).second) log::emit(PluginIgnored, {{"folder", options_.folder}, {"name", each}});
        take(*listing, options_.folder, false);
    }
    for (auto& [path, entry] : entries_)
        if (!entry.looked && !entry.gone) examine(entry);
    forgetTrials();
}

bool Engine::trying() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const auto& each) { return each.second.trial; });
}

void Engine::forgetTrials() {
    std::set<std::string> wanted;
    for (const auto& [path, entry] : entries_)
        if (entry.trial) wanted.insert(entry.trial->copy);
    for (const OrderInHand& each : orders_)
        if (each.entry.trial) wanted.insert(each.entry.trial->copy);
    trials_.keep(wanted);
}

void Engine::take(const Listing& listing, const std::string& folder, bool bundled) {
    const TimePoint now = Clock::now();
    const std::string inFolder = folder + '/';
    for (const auto& [file, signature] : listing.plugins) {
        const std::string path = inFolder + file;
        Entry& entry = entries_[path];
        auto documents = documentsOf(listing, file);
        auto whole = signatureOf(signature, documents);
        entry.gone.reset();
        if (entry.signature == whole) continue;
        entry.file = file;
        entry.path = path;
        entry.stem = stemOf(file);
        entry.bundled = bundled;
        entry.signature = std::move(whole);
        entry.documents = std::move(documents);
        entry.seenLike = now;
        entry.looked = false;
        entry.waiting.clear();
        entry.trial.reset();
        enter(PluginState::Pending, entry);
    }
    for (auto each = entries_.begin(); each != entries_.end();) {
        Entry& entry = each->second;
        const bool there = entry.bundled != bundled || listing.plugins.count(entry.file);
        if (!there && !entry.gone) entry.gone = now;
        // Not at once: whoever replaces a file by deleting it first gets the time to bring the new one.
        if (!there && now - *entry.gone >= options_.quiet) {
            each = entries_.erase(each);
            continue;
        }
        if (!there) wakeAt(*entry.gone + options_.quiet);
        ++each;
    }
}

/// What an order has put there: known already, and not looked at again.
void Engine::keep(Entry entry) {
    const auto listing = list(options_.folder);
    const auto there = listing ? listing->plugins.find(entry.file) : std::map<std::string, Signature>::const_iterator();
    if (!listing || there == listing->plugins.end()) return;  // gone again: the next look says so
    entry.documents = documentsOf(*listing, entry.file);
    entry.signature = signatureOf(there->second, entry.documents);
    entry.seenLike = Clock::now();
    entry.looked = true;
    const std::string path = entry.path;
    entries_[path] = std::move(entry);
}

/// Beside a plugin that was not taken, for who has dropped it and reads no logs.
void Engine::noteFailure(const Entry& entry, const std::string& reason) {
    if (writeWhole(options_.folder + '/' + entry.stem + ".failed", entry.file + ": " + reason + '\n', 0644))
        failed_.insert(entry.stem);
}

/// Of those that are gone or have become fit.
void Engine::forgetFailures() {
    if (failed_.empty()) return;
    std::set<std::string> standing;
    for (const auto& [path, entry] : entries_)
        if (!entry.bundled && (!entry.looked || !entry.fault.empty() || entry.standing == PluginState::Refused ||
                               entry.standing == PluginState::Failed))
            standing.insert(entry.stem);
    std::erase_if(failed_, [&](const std::string& stem) {
        return standing.count(stem) == 0 && unlink((options_.folder + '/' + stem + ".failed").c_str()) == 0;
    });
}

// Whether nothing has changed the plugin or its contract for long enough; if not, when to look again.
bool Engine::rests(const Entry& entry) {
    const milliseconds quiet = entry.bundled ? milliseconds(0) : options_.quiet;
    const auto seen = std::chrono::duration_cast<milliseconds>(Clock::now() - entry.seenLike);
    // A contract that is gone may be on its way to be replaced, like a plugin.
    const bool contractGone = entry.content && !entry.content->contract.document.empty() && entry.documents.empty();
    milliseconds left = contractGone ? quiet - seen : milliseconds(0);
    for (const Signature& each : entry.signature)
        if (!settled(each, quiet, seen)) left = std::max(left, untilSettled(each, quiet, seen));
    if (left.count() <= 0) return true;
    wakeAt(Clock::now() + left);
    settling_ = true;
    return false;
}

void Engine::examine(Entry& entry) {
    if (!rests(entry)) return;
    if (entry.trial && trials_.pending(entry.trial->copy)) return;
    auto inspected = inspect(entry);
    if (entry.trial) {
        if (entry.waiting != onTrial) enter(PluginState::Verifying, entry);
        entry.waiting = onTrial;
        return;
    }
    if (!inspected && inspected.error().kind() == Error::Kind::Unavailable)
        return wait(entry, inspected.error().message());
    entry.looked = true;
    entry.waiting.clear();
    if (inspected) {
        entry.fault.clear();
        entry.faultKey.clear();
    } else {
        entry.fault = inspected.error().message();
        tellRefusal(entry, PluginState::Refused, entry.faultKey, entry.fault);
    }
}

// Fills entry.content, or says what is wrong with the bytes, which entry.faultKey then stands for.
Result<void> Engine::inspect(Entry& entry) {
    const auto refused = [&entry](std::string key, Error why) {
        if (why.kind() != Error::Kind::Unavailable) entry.faultKey = std::move(key);
        return why;
    };
    const auto bytes = readSettled(entry.path, entry.signature[0], maxPlugin);
    if (!bytes) return refused("", bytes.error());
    const std::string hash = crypto::sha256(*bytes);
    auto contract = readContract(entry.path.substr(0, entry.path.rfind('/')), entry.stem, entry.documents);
    if (!contract) return refused(hash, std::move(contract).error());

    const std::string key = hash + contract->hash();
    if (entry.content && entry.content->key == key) {
        log::emit(PluginUnchanged, {{"file", entry.path}});
        enter(entry.standing, entry, "its content is what it was");
        return ok();
    }
    if (!entry.fault.empty() && entry.faultKey == key) return Error::invalid(entry.fault);  // the same bad bytes again
    auto content = admit(entry, *bytes, hash);
    if (!content) return refused(key, std::move(content).error());
    for (const auto& each : contract->missing)
        log::emit(PluginWarning, {{"plugin", content->identity.plugin},
                                  {"file", entry.path},
                                  {"text", "its contract refers to " + each + ", which is not beside it"}});
    content->key = key;
    content->contract = std::move(*contract);
    entry.content = std::move(*content);
    enter(PluginState::Resolved, entry);
    return ok();
}

/// With the contract that lies in the folder for a plugin of the entry's name.
Result<void> Engine::describe(Entry& entry, Content content) {
    const auto listing = list(options_.folder);
    if (!listing) return Error(Error::Kind::Unavailable, "the deploy folder: " + listing.error().message());
    entry.documents = documentsOf(*listing, entry.file);
    auto contract = readContract(options_.folder, entry.stem, entry.documents);
    if (!contract) return std::move(contract).error();
    content.key = content.hash + contract->hash();
    content.contract = std::move(*contract);
    entry.content = std::move(content);
    entry.looked = true;
    enter(PluginState::Resolved, entry);
    return ok();
}

Result<Content> Engine::admit(Entry& entry, const std::string& bytes, const std::string& hash) {
    auto report = elf::inspect(bytes, POSTBUS_ENTRY_SYMBOL);
    if (!report) return std::move(report).error();

    Content content;
    content.hash = hash;
    if (entry.trial && entry.trial->hash == hash) {
        content.copy = entry.trial->copy;
    } else {
        auto copy = cache_.store(hash, entry.stem, bytes, pathsInUse());
        if (!copy) return std::move(copy).error();
        content.copy = std::move(*copy);
    }
    auto identity = identify(entry, content);
    if (!identity) return std::move(identity).error();
    content.identity = std::move(*identity);
    for (const auto& each : report->warnings)
        log::emit(PluginWarning, {{"plugin", content.identity.plugin}, {"file", entry.path}, {"text", each}});
    return content;
}

/// What it is by the word of an earlier trial, or of one that is begun here: entry.trial stands while that is under
/// way.
Result<Identity> Engine::identify(Entry& entry, const Content& content) {
    if (auto known = cache_.recall(content.hash)) {
        entry.trial.reset();
        return std::move(*known);
    }
    auto identity = trials_.ask(content.copy);
    if (!identity) {
        entry.trial = Entry::Trial{content.hash, content.copy};
        return Error(Error::Kind::Unavailable, onTrial);
    }
    entry.trial.reset();
    if (*identity) cache_.remember(content.hash, **identity);
    return std::move(*identity);
}

void Engine::wait(Entry& entry, std::string reason) {
    entry.looked = false;
    wakeAt(Clock::now() + retry);  // if no hint comes before
    if (entry.waiting == reason) return;
    entry.waiting = std::move(reason);
    log::emit(PluginPending, {{"file", entry.path}, {"reason", entry.waiting}});
}

}  // namespace postbus::deployer
