#pragma once

#include <memory>
#include <string>

#include "base/timer_wheel.hpp"
#include "core/exchange/exchange.hpp"
#include "endpoints/destination/destination_endpoint.hpp"

namespace postbus::destination {

/// One exchange with a destination. Whoever takes it off the client's list, on any thread, ends it: the answer, the
/// refusal of the send, the deadline, or the caller that goes.
class DestinationCall final : public Awaiting,
                              public core::Watcher,
                              public Timer,
                              public std::enable_shared_from_this<DestinationCall> {
public:
    /// On the exchange's home loop.
    static void begin(std::shared_ptr<DestinationEndpoint> endpoint, const std::shared_ptr<queues::Engine>& engine,
                      core::ExchangePtr exchange);

    DestinationCall(std::shared_ptr<DestinationEndpoint> endpoint, core::ExchangePtr exchange)
        : endpoint_(std::move(endpoint)),
          exchange_(std::move(exchange)),
          pattern_(endpoint_->patternOf(*exchange_->operation())) {}

    void onReply(std::shared_ptr<const queues::Message> answer) override;
    void onReplyLost() override;
    void onCancelled() override;
    void onTimer() override;

private:
    void start(queues::Engine& engine, queues::Message message);
    Result<queues::Message> message() const;
    Result<std::string> envelope() const;
    void send(queues::Engine& engine, queues::Message message, queues::Done done) const;
    bool claim();
    void later(std::function<void()> task);
    void end(const queues::Message& answer);
    void open(std::string_view bytes, std::string_view contentType, bool isFault);
    void fail(Error error);

    const std::shared_ptr<DestinationEndpoint> endpoint_;
    core::ExchangePtr exchange_;
    const core::Pattern pattern_;
    std::string correlationId_;
};

}  // namespace postbus::destination
