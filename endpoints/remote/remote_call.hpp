#pragma once

#include <atomic>
#include <memory>

#include "core/exchange/exchange.hpp"
#include "endpoints/remote/remote_endpoint.hpp"
#include "transports/http/client/call_head.hpp"
#include "transports/http/client/client_call.hpp"

namespace postbus::remote {

/// One exchange with a remote service. Reused by the thread that it ended on.
class RemoteCall final : public http::ClientCall, public core::Watcher {
public:
    /// On the exchange's home loop. With a `validator` the answer is held against it.
    static void begin(std::shared_ptr<RemoteEndpoint> endpoint, core::ExchangePtr exchange,
                      MessageCheck::Validator validator);

private:
    static std::shared_ptr<RemoteCall> taken();
    std::shared_ptr<RemoteCall> self() { return std::static_pointer_cast<RemoteCall>(shared_from_this()); }
    void start(http::ClientPool& pool);
    Result<void> write();
    Result<void> writeFields(http::CallHead& out);
    Result<void> writeEnvelope();
    void send();

    void onAnswer(http::ClientAnswer& answer) override;
    void onFailure(Error error) override;
    void onCancelled() override;
    void cancelHere();

    bool isBytes() const;
    bool isRefused(http::ClientAnswer& answer);
    bool redirected(const http::ClientAnswer& answer);
    void pass(http::ClientAnswer& answer);
    void open(http::ClientAnswer& answer);
    Result<std::string_view> unpacked(http::ClientAnswer& answer);
    void over();

    std::shared_ptr<RemoteEndpoint> endpoint_;
    core::ExchangePtr exchange_;
    MessageCheck::Validator validator_;
    std::atomic<http::ClientPool*> pool_{nullptr};  // where it runs, if that is not the exchange's home
    bool away_ = false;
    std::uint32_t redirects_ = 0;
    Buffer envelope_, unpacked_;
    http::ConnectionOptions hop_;
};

}  // namespace postbus::remote
