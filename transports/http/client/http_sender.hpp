#pragma once

#include "core/port/senders.hpp"
#include "transports/http/client/http_client.hpp"

namespace postbus::http {

/// Posts messages to http:// addresses. A reply of any status is a reply: what it means is the caller's to say. Any
/// thread.
class HttpSender final : public core::Sender {
public:
    explicit HttpSender(HttpClient& client) : client_(client) {}

    Result<void> check(std::string_view uri) const override;
    void send(std::string_view uri, core::OutboundMessage message, TimePoint deadline, Sent sent) override;

private:
    HttpClient& client_;
};

}  // namespace postbus::http
