#include "transports/http/client/resolver.hpp"

#include <netdb.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace postbus::http {
namespace {

constexpr std::chrono::seconds kept{30};
constexpr std::chrono::seconds keptFailure{1};
/// Look-ups at once; a name server that does not answer holds each of them for many seconds.
constexpr unsigned mostThreads = 8;
constexpr std::size_t mostKnown = 1'000;

struct FreeAddresses {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

Result<Resolver::Addresses> lookUp(const std::string& host, std::uint16_t port, int flags) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags;
    addrinfo* list = nullptr;
    const int failed = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
    if (failed)
        return Error(Error::Kind::BadGateway, "the host name " + host + " can't be resolved: " +
                                                  (failed == EAI_SYSTEM ? std::strerror(errno) : gai_strerror(failed)));
    const std::unique_ptr<addrinfo, FreeAddresses> owned(list);
    Resolver::Addresses found;
    for (const addrinfo* each = list; each; each = each->ai_next) {
        SocketAddress& address = found.emplace_back();
        std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
        address.length = each->ai_addrlen;
    }
    return found;
}

struct Waiter {
    Executor* loop;
    Resolver::Then then;
};

using Name = std::pair<std::string, std::uint16_t>;  // host and port

}  // namespace

struct Resolver::State : std::enable_shared_from_this<State> {
    struct Known {
        Result<Addresses> found;
        TimePoint until;
    };

    void ask(Name name, Waiter waiter);
    void work();

    std::mutex mutex;
    std::map<Name, Known> known;
    std::map<Name, std::vector<Waiter>> waiting;
    std::deque<Name> wanted;
    unsigned threads = 0;
    bool stopped = false;
};

Resolver::Resolver() : state_(std::make_shared<State>()) {}

Resolver::~Resolver() { stop(); }

void Resolver::stop() {
    std::map<Name, std::vector<Waiter>> dropped;  // behind the lock: what they hold may do anything when it goes
    const std::lock_guard lock(state_->mutex);
    state_->stopped = true;
    state_->wanted.clear();
    dropped.swap(state_->waiting);
}

void Resolver::find(const std::string& host, std::uint16_t port, Executor& loop, Then then) {
    if (const auto address = lookUp(host, port, AI_NUMERICHOST | AI_NUMERICSERV)) return then(address);
    std::optional<Result<Addresses>> found;
    {
        const std::lock_guard lock(state_->mutex);
        const auto at = state_->known.find({host, port});
        if (at != state_->known.end() && Clock::now() < at->second.until) found = at->second.found;
    }
    if (found) return then(*found);
    state_->ask({host, port}, {&loop, std::move(then)});
}

void Resolver::State::ask(Name name, Waiter waiter) {
    const std::lock_guard lock(mutex);
    if (stopped) return;
    auto& others = waiting[name];
    others.push_back(std::move(waiter));
    if (others.size() > 1) return;  // it is being looked up
    wanted.push_back(std::move(name));
    if (threads == mostThreads) return;
    // Detached: at the end nobody waits for a name server.
    try {
        std::thread([self = shared_from_this()] { self->work(); }).detach();
        ++threads;
    } catch (const std::system_error&) {
        if (threads > 0) return;  // another comes to it
        for (const Waiter& each : waiting[wanted.back()])
            each.loop->post([then = each.then] {
                then(Error(Error::Kind::Unavailable, "there is no thread to resolve a host name"));
            });
        waiting.erase(wanted.back());
        wanted.pop_back();
    }
}

void Resolver::State::work() {
    std::unique_lock lock(mutex);
    while (!wanted.empty()) {
        const Name name = std::move(wanted.front());
        wanted.pop_front();
        lock.unlock();
        Result<Addresses> found = lookUp(name.first, name.second, 0);
        lock.lock();
        if (known.size() >= mostKnown) known.clear();
        known.insert_or_assign(name, Known{found, Clock::now() + (found ? kept : keptFailure)});
        if (const auto waiters = waiting.extract(name))
            for (Waiter& each : waiters.mapped())
                each.loop->post([then = std::move(each.then), found] { then(found); });
    }
    --threads;
}

}  // namespace postbus::http
