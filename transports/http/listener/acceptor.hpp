#pragma once

#include <memory>

#include "transports/http/listener/listener.hpp"
#include "transports/http/listener/socket_address.hpp"
#include "transports/http/loop/loop.hpp"

namespace postbus::http {

/// A loop's share of a listener: it takes connections from the socket that all loops share, and holds the settings
/// that its connections read. For the loop's thread.
class Acceptor final : public Timer, public Pollable, public std::enable_shared_from_this<Acceptor> {
public:
    Acceptor(Loop& loop, std::shared_ptr<Listener> listener, std::shared_ptr<const ListenerSettings> settings);
    ~Acceptor() override;

    void start();
    /// Takes what is in the backlog, then no more. Connections of this listener end behind their request.
    void retire();
    void configure(std::shared_ptr<const ListenerSettings> settings) { settings_ = std::move(settings); }

    bool retired() const { return retired_; }
    const std::shared_ptr<const ListenerSettings>& settings() const { return settings_; }
    Listener& listener() { return *listener_; }

private:
    enum class Taken { One, None, Failed };

    void onReady(std::uint32_t events) override;
    Taken acceptOne();
    void welcome(int descriptor, const SocketAddress& peer);
    void stopWaiting();
    void pause(int reason);
    void onTimer() override;

    Loop& loop_;
    std::shared_ptr<Listener> listener_;
    std::shared_ptr<const ListenerSettings> settings_;
    int descriptor_ = -1;   // the listener's socket under a number of its own, so that this loop can let go of it
    bool waiting_ = false;  // in the poller
    bool retired_ = false;
    TimePoint toldPaused_, toldFull_;
};

}  // namespace postbus::http
