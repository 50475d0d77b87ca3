#pragma once

#include <string>
#include <string_view>

namespace postbus::server {

/// Tells the service manager how we are, by its protocol (sd_notify(3)): a datagram to $NOTIFY_SOCKET. Without that
/// variable nothing happens. Errors are of no consequence: the manager has its own time limits.
class Notify {
public:
    Notify();

    void ready(std::string_view status) const;
    /// To be followed by ready() when the reload is done, whatever came of it.
    void reloading() const;
    void stopping() const;

private:
    void send(const std::string& state) const;

    std::string socket_;
};

}  // namespace postbus::server
