#include "admin/admin_server.hpp"

#include "admin/admin_binding.hpp"
#include "admin/admin_endpoint.hpp"
#include "admin/guard.hpp"
#include "core/bus.hpp"
#include "core/routing/route_table.hpp"

namespace postbus::admin {
namespace {

/// A reload and a look at the exchanges may wait; more of them at once is no use.
constexpr std::size_t workers = 4, backlog = 64;

http::HttpLimits limits() {
    http::HttpLimits limits;
    limits.connections = 256;
    limits.headers = 16_KiB;
    limits.body = 64_KiB;
    limits.exchangeTime = milliseconds(60'000);  // a reload may have to wait for one under way
    return limits;
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

Result<http::PreparationPtr> AdminServer::prepare(const AdminConfig& config) {
    http::HttpConfig wanted;
    wanted.limits = limits();
    wanted.listen.clear();
    const auto add = [&](std::string address, std::string name) {
        http::HttpListenerConfig listener;
        listener.address = std::move(address);
        listener.name = std::move(name);
        wanted.listen.push_back(std::move(listener));
    };
    if (!state_->options.socket.empty()) add("unix:" + state_->options.socket, "socket");
    if (config.listen != "none") add(config.listen, "tcp");
    return state_->transport.prepare(wanted);
}

void AdminServer::apply(http::PreparationPtr preparation, const AdminConfig& config) {
    auto table = std::make_shared<core::RouteTable>();
    core::Route route;
    route.name = "admin";
    route.endpoint = state_->endpoint;
    route.bindings.push_back(
        std::make_shared<AdminBinding>(Guard(state_->options.token, config.hosts), state_->endpoint->contract()));
    table->setFallback(std::move(route));
    state_->bus.publish(std::move(table));
    state_->transport.apply(std::move(preparation));
}

void AdminServer::stop(TimePoint deadline) {
    state_->transport.stop(deadline);
    state_->bus.workers().stop();
}

std::vector<http::ListenerStatus> AdminServer::listeners() const { return state_->transport.listeners(); }

}  // namespace postbus::admin
