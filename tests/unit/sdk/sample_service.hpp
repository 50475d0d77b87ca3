/// Services made inside of a test, without a plugin around them.
#pragma once

#include <postbus/plugin.hpp>

#include <functional>
#include <utility>

#include "tests/support/plugin_host.hpp"

namespace sample {

struct Text {
    std::optional<std::string> text;
    static constexpr auto fields() { return std::tuple{postbus::field("text", &Text::text)}; }
};

/// Runs whatever the test wants in start(), with access to what a service's author may call.
class Service : public postbus::Service {
public:
    static inline std::function<void(Service&)> onStart;
    static inline std::function<void()> onStop, onHealth;

    void start() override { onStart(*this); }
    void stop() override {
        if (onStop) onStop();
    }
    bool health() override {
        if (onHealth) onHealth();
        return true;
    }

    using postbus::Service::any;
    using postbus::Service::log;
    using postbus::Service::oneway;
    using postbus::Service::operation;
    using postbus::Service::raw;
    using postbus::Service::robust;

    static constexpr postbus::ServiceInfo info{.ns = "urn:test"};
};

inline constexpr std::string_view version = "1.0.0";
inline constexpr const postbus_service& table =
    postbus::sdk::ServiceGlue<Service, postbus::sdk::infoOf<Service>, version>::table;

/// A Service that has been started with `onStart`.
struct Running {
    postbus::test::PluginHost host{table};
    bool started = false;

    explicit Running(std::function<void(Service&)> onStart) {
        Service::onStart = std::move(onStart);
        Service::onStop = Service::onHealth = nullptr;
        started = host.create() && host.start();
    }
    std::string firstLog() const { return host.log().empty() ? "" : host.log().front().text; }
};

}  // namespace sample
