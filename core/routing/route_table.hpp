#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"
#include "base/lane_counter.hpp"
#include "base/result.hpp"
#include "core/endpoint/endpoint.hpp"
#include "core/port/binding.hpp"
#include "core/port/chain.hpp"
#include "core/routing/callbacks.hpp"
#include "core/routing/dispatch.hpp"

namespace postbus::core {

/// Bounds of one endpoint; a zero means the listener's own.
struct RouteLimits {
    std::size_t body = 0;
    milliseconds timeout{0};
    std::uint32_t concurrency = 0;  ///< exchanges at once, 0 for any number
};

/// A path and what stands behind it.
struct Route {
    std::string name;      ///< the endpoint's, as in YAML
    std::string listener;  ///< empty: all
    std::string path;
    std::shared_ptr<Endpoint> endpoint;
    std::vector<std::shared_ptr<const Binding>> bindings;  ///< in order of asking
    std::shared_ptr<const Chain> chain;                    ///< null: no interceptors
    std::shared_ptr<Callbacks> callbacks;                  ///< null: its messages name no address of their own
    RouteLimits limits;
    Dispatch dispatch = Dispatch::Declared;
    /// Shared by the tables of all configurations, so that a reload does not forget who is inside.
    std::shared_ptr<LaneCounter> inside = std::make_shared<LaneCounter>();

    /// One more exchange, on its home loop, which takes it back. False: it is one too many, and has to leave all the
    /// same.
    bool enter() const {
        if (!limits.concurrency) return inside->enter(), true;
        inside->enterForAll();  // of two that come at once, one sees the other
        return inside->count() <= static_cast<std::int64_t>(limits.concurrency);
    }
    void leave() const { limits.concurrency ? inside->leaveForAll() : inside->leave(); }

    /// Whether an operation of the endpoint's runs on the loop that read the request.
    bool runsInline(const wsdl::Operation& operation) const {
        if (dispatch == Dispatch::Declared) return operation.nonblocking;
        return dispatch == Dispatch::Inline;
    }
};

/// All routes of one moment. Built, published, never changed: an exchange keeps the table it began with, and with it
/// the generation of each plugin.
class RouteTable : public std::enable_shared_from_this<RouteTable> {
public:
    /// Invalid when the path is taken already.
    Result<void> add(Route route);
    /// Takes every request that no path takes, on all listeners; its own path means nothing. At most one.
    void setFallback(Route route) { fallback_ = std::make_unique<Route>(std::move(route)); }
    /// One that is reached by its name alone; its path means nothing.
    void addNamed(Route route);
    const Route* find(std::string_view listener, std::string_view path) const;
    /// The first route of the endpoint of that name, or null.
    const Route* named(std::string_view endpoint) const;
    /// No other table of this process has it: for those who remember what they have found here.
    std::uint64_t serial() const { return serial_; }
    using ByName = std::map<std::string, std::vector<const Route*>, std::less<>>;
    const ByName& byName() const { return byName_; }

private:
    static std::uint64_t nextSerial();
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::vector<std::unique_ptr<Route>>, Hash, std::equal_to<>> byPath_;
    std::unique_ptr<Route> fallback_;
    std::vector<std::unique_ptr<Route>> unplaced_;
    ByName byName_;
    const std::uint64_t serial_ = nextSerial();
};

}  // namespace postbus::core
