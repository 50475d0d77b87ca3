#include "transports/http/client/client_pool.hpp"

#include <algorithm>

#include "transports/http/client/client_connection.hpp"
#include "transports/http/loop/loop.hpp"

namespace postbus::http {
namespace {

/// Backends without a connection at rest whose entries are kept.
constexpr std::size_t mostUnused = 256;

}  // namespace

void ClientCall::cancel() {
    if (carrier_) carrier_->cancel();
}

void ClientCall::reset() {
    backend.reset();
    head.clear();
    body = {};
    upload.reset();
    idempotent = headOnly = takesStream = false;
    deadline = TimePoint::max();
    carrier_ = nullptr;
    again_ = false;
}

ClientPool::~ClientPool() { retire(); }

TimePoint ClientPool::now() const { return loop_.now(); }

void ClientPool::start(const std::shared_ptr<ClientCall>& call) {
    call->begun_ = loop_.now();
    auto& idle = byBackend_[call->backend->key()];
    while (!idle.empty()) {
        ClientConnection& connection = *idle.back();
        if (connection.usableFor(*call)) {
            wake(connection);
            return connection.carry(call);
        }
        connection.close();
    }
    open(call);
}

void ClientPool::open(const std::shared_ptr<ClientCall>& call) {
    auto connection = std::make_shared<ClientConnection>(*this, call->backend->key());
    enter(connection);
    connection->connect(call);
}

void ClientPool::enter(std::shared_ptr<ClientConnection> connection) {
    connection->place = all_.size();
    all_.push_back(std::move(connection));
}

/// The caller holds on to it.
void ClientPool::leave(ClientConnection& connection) {
    const std::size_t place = connection.place;
    if (place + 1 < all_.size()) {
        all_[place] = std::move(all_.back());
        all_[place]->place = place;
    }
    all_.pop_back();
    if (byBackend_.size() > mostUnused) std::erase_if(byBackend_, [](const auto& each) { return each.second.empty(); });
}

bool ClientPool::rest(ClientConnection& connection, const std::string& key, std::size_t most) {
    auto& idle = byBackend_[key];
    if (retired_ || idle.size() >= most) return false;
    idle.push_back(&connection);
    ++idle_;
    return true;
}

void ClientPool::wake(ClientConnection& connection) {
    const auto at = byBackend_.find(connection.key());
    auto& idle = at->second;
    // Mostly the last one; others end of their own accord.
    idle.erase(std::find(idle.rbegin(), idle.rend(), &connection).base() - 1);
    --idle_;
}

void ClientPool::retire() {
    retired_ = true;
    for (auto& [key, idle] : byBackend_)
        while (!idle.empty()) idle.back()->close();
}

void ClientPool::abort(const Error& error) {
    retire();
    const auto all = all_;
    for (const auto& each : all) each->abort(error);
}

}  // namespace postbus::http
