#include "admin/admin_server.hpp"

#include "admin/admin_binding.hpp"
#include "admin/admin_endpoint.hpp"
#include "admin/admin_events.hpp"
#include "admin/guard.hpp"
#include "core/bus.hpp"
#include "core/routing/route_table.hpp"

namespace postbus::admin {
namespace {

/// A reload, a look at the exchanges and all that is done with queues may wait; the threads start when they are needed.
constexpr std::size_t workers = 16, backlog = 64;

http::HttpConfig config(ByteSize body) {
    http::HttpConfig config;
    config.listen.clear();
    config.limits.connections = 256;
    config.limits.headers = 16_KiB;
    config.limits.body = body;                          // a message for a queue
    config.limits.exchangeTime = milliseconds(60'000);  // a reload may have to wait for one under way
    return config;
}

void addListener(http::HttpConfig& config, std::string name, std::string address) {
    http::HttpListenerConfig listener;
    listener.name = std::move(name);
    listener.address = std::move(address);
    config.listen.push_back(std::move(listener));
}

}  // namespace

struct AdminServer::State {
    State(Management& management, Options given)
        : options(std::move(given)),
          endpoint(std::make_shared<AdminEndpoint>(management)),
          bus(workers, backlog),
          transport(bus, "admin", 1) {}

    Options options;
    std::shared_ptr<AdminEndpoint> endpoint;
    core::Bus bus;
    http::HttpTransport transport;
};

AdminServer::AdminServer(Management& management, Options options)
    : state_(std::make_unique<State>(management, std::move(options))) {}

AdminServer::~AdminServer() = default;

Result<void> AdminServer::start() {
    const Options& options = state_->options;
    http::HttpConfig wanted = config(options.body);
    if (!options.socket.empty()) addListener(wanted, "socket", "unix:" + options.socket);
    if (!options.listen.empty()) addListener(wanted, "tcp", options.listen);
    auto prepared = state_->transport.prepare(wanted);
    if (!prepared && !options.socket.empty() && !options.listen.empty()) {
        const std::string reason = prepared.error().message();
        wanted.listen.erase(wanted.listen.begin());
        prepared = state_->transport.prepare(wanted);
        if (prepared) log::emit(AdminSocketSkipped, {{"path", options.socket}, {"reason", reason}});
    }
    if (!prepared) return std::move(prepared).error();

    auto table = std::make_shared<core::RouteTable>();
    core::Route route;
    route.name = "admin";
    route.endpoint = state_->endpoint;
    route.bindings.push_back(std::make_shared<AdminBinding>(Guard(options.token), state_->endpoint->contract()));
    table->setFallback(std::move(route));
    state_->bus.publish(std::move(table));
    state_->transport.apply(std::move(*prepared));
    return ok();
}

void AdminServer::stop(TimePoint deadline) {
    state_->transport.stop(deadline);
    state_->bus.workers().stop();
}

std::vector<http::ListenerStatus> AdminServer::listeners() const { return state_->transport.listeners(); }

}  // namespace postbus::admin
