#include "interceptors/addressing/repliers.hpp"

#include <utility>

#include "base/log/event.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "core/routing/route_table.hpp"
#include "interceptors/addressing/addressing_events.hpp"

namespace postbus::addressing {
namespace {

class Nobody final : public core::Replier {
public:
    explicit Nobody(const core::Exchange& exchange) : pool_(exchange.home()) {}

    void answer(core::WireAnswer&& answer) override {
        if (answer.cause)
            log::emit(FaultDropped,
                      {{"request", answer.requestId}, {"endpoint", answer.endpoint}, {"reason", answer.cause->reason}});
        pool_.giveBuffer(std::move(answer.body));
    }

private:
    core::ExchangePool& pool_;
};

/// What an undelivered answer is told by, after its exchange is gone.
struct Trace {
    std::string request, endpoint, address, relatesTo;
};

void tellUndelivered(const Trace& trace, const std::string& reason, std::string_view kept) {
    log::emit(AnswerUndelivered, {{"request", trace.request},
                                  {"endpoint", trace.endpoint},
                                  {"to", trace.address},
                                  {"relates-to", trace.relatesTo},
                                  {"reason", reason},
                                  {"kept", kept}});
}

class Somebody final : public core::Replier {
public:
    Somebody(std::uint8_t hops, const Properties& request, const EndpointReference& target,
             std::shared_ptr<AnswerSender> sender, std::string undelivered)
        : hops_(hops),
          request_(request),
          target_(target),
          sender_(std::move(sender)),
          undelivered_(std::move(undelivered)) {}

    void answer(core::WireAnswer&& answer) override {
        SentAnswer sent;
        sent.address = target_.address;
        sent.contentType = answer.contentType;
        sent.relatesTo = request_.messageId;
        sent.action = request_.answerAction;
        sent.isFault = answer.cause != nullptr;
        sent.requestId = answer.requestId;
        sent.hops = hops_;
        Trace trace{std::string(answer.requestId), std::string(answer.endpoint), sent.address,
                    std::string(request_.messageId)};
        if (undelivered_.empty()) {
            sent.body = std::move(answer.body);
            return sender_->send(std::move(sent), [trace = std::move(trace)](const Result<void>& result) {
                if (!result) tellUndelivered(trace, result.error().message(), {});
            });
        }
        sendOrKeep(std::move(sent), answer, std::move(trace));
    }

private:
    /// Holds a copy of the answer until it is known to have arrived.
    void sendOrKeep(SentAnswer&& sent, core::WireAnswer& answer, Trace trace);

    const std::uint8_t hops_;
    const Properties& request_;
    const EndpointReference target_;
    const std::shared_ptr<AnswerSender> sender_;
    const std::string undelivered_;
};

void Somebody::sendOrKeep(SentAnswer&& sent, core::WireAnswer& answer, Trace trace) {
    struct Copy {
        std::string contentType, action, body;
        bool isFault;
    };
    auto copy = std::make_shared<Copy>(
        Copy{std::string(sent.contentType), std::string(sent.action), std::string(answer.body.view()), sent.isFault});
    sent.body = std::move(answer.body);
    sender_->send(std::move(sent), [copy, trace = std::move(trace), sender = sender_,
                                    queue = undelivered_](const Result<void>& result) {
        if (result) return;
        SentAnswer again;
        again.address = trace.address;
        again.contentType = copy->contentType;
        again.action = copy->action;
        again.relatesTo = trace.relatesTo;
        again.isFault = copy->isFault;
        again.body.append(copy->body);
        const std::string reason = result.error().message();
        sender->keep(queue, std::move(again), reason, [trace, reason, queue](const Result<void>& kept) {
            tellUndelivered(trace, kept ? reason : reason + "; " + kept.error().message(), kept ? queue : "");
        });
    });
}

}  // namespace

std::shared_ptr<core::Replier> nobody(const core::Exchange& exchange) { return std::make_shared<Nobody>(exchange); }

std::shared_ptr<core::Replier> somebody(const core::Exchange& exchange, const Properties& request,
                                        const EndpointReference& target, std::shared_ptr<AnswerSender> sender,
                                        std::string undelivered) {
    return std::make_shared<Somebody>(exchange.hops(), request, target, std::move(sender), std::move(undelivered));
}

}  // namespace postbus::addressing
