#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log/event.hpp"
#include "core/bus.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/raw_client.hpp"
#include "tests/support/test_service.hpp"
#include "transports/http/access_log.hpp"
#include "transports/http/http_transport.hpp"

namespace postbus::http {

using test::RawClient;
using test::Response;

/// A bus with the test service at /test, behind a real transport on a free port.
struct Server {
    using Configure = std::function<void(HttpConfig&)>;

    core::Bus bus{4, 100};
    std::shared_ptr<test::TestEndpoint> endpoint = std::make_shared<test::TestEndpoint>();
    HttpConfig config;
    std::unique_ptr<HttpTransport> transport;
    std::string address;

    explicit Server(const Configure& configure = {}, unsigned threads = 2) {
        log::configure({.format = log::Format::Text, .level = log::Level::Error, .descriptor = 2});
        configureAccessLog({.enabled = false, .json = false, .descriptor = 2});
        publish();
        config.listen[0].address = "127.0.0.1:0";
        if (configure) configure(config);
        transport = std::make_unique<HttpTransport>(bus, "http", threads);
        load();
        address = transport->listeners().at(0).address;
    }
    ~Server() {
        endpoint->release();
        transport->stop(Clock::now() + std::chrono::seconds(5));
        bus.workers().stop();
    }

    void publish(core::RouteLimits limits = {}) {
        auto table = std::make_shared<core::RouteTable>();
        core::Route route;
        route.name = "Test";
        route.path = "/test";
        route.endpoint = endpoint;
        route.bindings.push_back(std::make_shared<test::TestBinding>(*endpoint));
        route.limits = limits;
        if (!table->add(std::move(route))) throw std::logic_error("route");
        bus.publish(std::move(table));
    }
    /// Takes `config` as it is now.
    void load() {
        auto preparation = transport->prepare(config);
        if (!preparation) throw std::runtime_error(preparation.error().message());
        transport->apply(std::move(*preparation));
    }
    RawClient connect() const { return RawClient(address); }
};

inline std::string post(std::string_view body, std::string_view fields = {}) {
    return "POST /test HTTP/1.1\r\nHost: h\r\n" + std::string(fields) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace postbus::http
