#include "transports/http/client/http_sender.hpp"

#include <algorithm>
#include <utility>

#include "transports/http/client/call_head.hpp"

namespace postbus::http {
namespace {

/// Of a reply that a person may read.
constexpr std::size_t mostShown = 4'096;
constexpr ByteSize mostAnswered = 1_MiB;

Error wrong(std::string_view uri, Error&& error) {
    return Error::invalid("the address '" + std::string(uri) + "' " + error.message());
}

/// One message under way.
struct Posting final : ClientCall {
    core::OutboundMessage message;
    core::Sender::Sent sent;

    Result<void> write() {
        CallHead out(head);
        if (auto begun = out.begin("POST", *backend, {}); !begun) return begun;
        if (!message.contentType.empty()) out.field("Content-Type", message.contentType);
        out.number("Content-Length", message.body.size());
        if (!message.requestId.empty()) out.field("X-Request-Id", message.requestId);
        out.number(hopsField, message.hops + 1u);
        for (const auto& [name, value] : message.headers)
            if (!concernsOneHop(name)) out.field(name, value);
        out.end();
        body = message.body.view();
        return ok();
    }
    void onAnswer(ClientAnswer& answer) override {
        core::OutboundReply reply;
        reply.status = answer.status;
        reply.contentType = answer.head.contentType(answer.base);
        reply.body = answer.body.view().substr(0, mostShown);
        std::exchange(sent, nullptr)(std::move(reply));
    }
    void onFailure(Error error) override { std::exchange(sent, nullptr)(std::move(error)); }
};

}  // namespace

Result<void> HttpSender::check(std::string_view uri) const {
    auto url = parseHttpUrl(uri);
    if (!url) return wrong(uri, std::move(url).error());
    return ok();
}

void HttpSender::send(std::string_view uri, core::OutboundMessage message, TimePoint deadline, Sent sent) {
    auto url = parseHttpUrl(uri);
    if (!url) return sent(wrong(uri, std::move(url).error()));
    BackendConfig config;
    config.answer = mostAnswered;
    auto backend = Backend::make(std::move(*url), std::move(config));
    if (!backend) return sent(std::move(backend).error());
    const auto posting = std::make_shared<Posting>();
    posting->backend = std::move(*backend);
    posting->message = std::move(message);
    posting->sent = std::move(sent);
    posting->deadline = deadline;
    if (auto written = posting->write(); !written) return posting->onFailure(std::move(written).error());
    if (ClientPool* pool = client_.here()) return pool->start(posting);
    if (!client_.elsewhere([posting](ClientPool& pool) { pool.start(posting); }))
        posting->onFailure(Error(Error::Kind::Unavailable, "the bus is stopping"));
}

}  // namespace postbus::http
