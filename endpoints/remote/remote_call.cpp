#include "endpoints/remote/remote_call.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log/event.hpp"
#include "bindings/soap/answer_reader.hpp"
#include "bindings/soap/version_shape.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "core/message/payload_writer.hpp"
#include "formats/mime/content_coding.hpp"
#include "formats/mime/media_type.hpp"
#include "transports/http/client/call_head.hpp"
#include "transports/http/client/client_events.hpp"

namespace postbus::remote {
namespace {

/// How long before the caller's own deadline a call is given up: the timers of a loop are late by up to two ticks.
constexpr milliseconds early{48};
/// Bodies up to this leave in one piece with the head.
constexpr std::size_t joined = 16 * 1024;
constexpr std::size_t keptCalls = 64, keptBuffer = 64 * 1024;

std::vector<std::shared_ptr<RemoteCall>>& spare() {
    thread_local std::vector<std::shared_ptr<RemoteCall>> list;
    return list;
}

bool isIdempotent(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" || method == "DELETE";
}

bool isAmong(const std::vector<std::string>& names, std::string_view name) {
    return std::any_of(names.begin(), names.end(), [&](const auto& each) { return core::sameName(each, name); });
}

/// The transport's word on the encoding, or nothing.
std::string charsetOf(const http::ClientAnswer& answer) {
    std::string memory;
    const auto type = mime::MediaType::parse(answer.head.contentType(answer.base));
    return std::string(type ? type->parameter("charset", memory).value_or("") : std::string_view());
}

/// From here on a status says that the message was not taken: a redirect that is not followed is no answer either.
constexpr int firstRefusal = 300;

/// What an answer without a fault in it, but with the status of an error, is to its caller.
Error::Kind kindOf(int status) {
    if (status == 503) return Error::Kind::Unavailable;
    return status == 504 ? Error::Kind::Timeout : Error::Kind::BadGateway;
}

}  // namespace

std::shared_ptr<RemoteCall> RemoteCall::taken() {
    auto& list = spare();
    while (!list.empty()) {
        std::shared_ptr<RemoteCall> last = std::move(list.back());
        list.pop_back();
        if (last.use_count() == 1) return last;
    }
    return std::make_shared<RemoteCall>();
}

void RemoteCall::begin(std::shared_ptr<RemoteEndpoint> endpoint, core::ExchangePtr exchange,
                       MessageCheck::Validator validator) {
    const std::shared_ptr<RemoteCall> call = taken();
    http::HttpClient& client = endpoint->client();
    call->backend = endpoint->backend();
    call->endpoint_ = std::move(endpoint);
    call->exchange_ = std::move(exchange);
    call->validator_ = std::move(validator);
    call->redirects_ = 0;
    http::ClientPool* const here = client.here();
    call->away_ = here == nullptr;
    call->exchange_->watch(call);
    if (here) return call->start(*here);
    if (client.elsewhere([call](http::ClientPool& pool) { call->start(pool); })) return;
    core::Exchange::fail(std::move(call->exchange_), Error(Error::Kind::Unavailable, "the bus is stopping"));
}

/// On the loop that carries it.
void RemoteCall::start(http::ClientPool& pool) {
    pool_.store(&pool);
    if (!exchange_ || exchange_->cancelled()) return cancelHere();
    if (auto written = write(); !written) return onFailure(std::move(written).error());
    pool.start(shared_from_this());
}

/// Whether the request came as bytes, which go on as they are even where somebody has looked into them.
bool RemoteCall::isBytes() const { return exchange_->tape().empty() || !exchange_->request().body.empty(); }

Result<void> RemoteCall::write() {
    const core::WireRequest& request = exchange_->request();
    const bool bytes = isBytes();
    if (exchange_->deadline() != TimePoint::max()) deadline = exchange_->deadline() - early;
    if (!bytes) {
        if (auto enveloped = writeEnvelope(); !enveloped) return enveloped;
        body = envelope_.view();
    } else if (request.stream) {
        upload = request.stream;
    } else {
        body = request.body;
    }
    const std::string_view method = bytes ? request.head.method : std::string_view("POST");
    idempotent = isIdempotent(method);
    headOnly = method == "HEAD";
    takesStream = bytes && request.head.takesStreams && !validator_;

    head.clear();
    http::CallHead out(head);
    if (auto begun = out.begin(method, *backend, bytes ? request.head.query : std::string_view()); !begun) return begun;
    if (auto fields = writeFields(out); !fields) return fields;
    if (upload && !upload->length())
        out.field("Transfer-Encoding", "chunked");
    else if (const std::uint64_t length = upload ? *upload->length() : body.size(); length || !idempotent)
        out.number("Content-Length", length);
    out.field("X-Request-Id", exchange_->id());
    out.number(http::hopsField, exchange_->hops() + 1u);
    if (deadline != TimePoint::max()) {
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - pool_.load()->now()).count();
        out.number(http::timeField, static_cast<std::uint64_t>(std::max<std::int64_t>(left, 0)));
    }
    out.end();
    if (!upload && body.size() <= joined) {
        head.append(body);
        body = {};
    }
    return ok();
}

/// What of the caller's fields goes on.
Result<void> RemoteCall::writeFields(http::CallHead& out) {
    const core::RequestHead& from = exchange_->request().head;
    const http::BackendHeaders& rules = backend->config().headers;
    if (!isBytes()) {
        out.field("Content-Type", soap::shapeOf(endpoint_->soapVersion()).contentType);
        if (endpoint_->soapVersion() == soap::Version::Soap11) out.field("SOAPAction", "\"\"");
        out.field("Accept-Encoding", "gzip");
        return ok();
    }
    if (!from.contentType.empty()) out.field("Content-Type", from.contentType);
    hop_.read(from.headers);
    const bool unpacked = !exchange_->request().decoded.view().empty();
    for (const core::Header& each : from.headers) {
        const std::string_view name = each.name;
        if (http::concernsOneHop(name) || core::sameName(name, "Content-Type")) continue;
        if (hop_.contain(name) || (unpacked && core::sameName(name, "Content-Encoding"))) continue;
        if (backend->hasCredentials() && core::sameName(name, "Authorization")) continue;
        if (rules.pass && !isAmong(*rules.pass, name) && !core::sameName(name, "SOAPAction")) continue;
        if (!rules.set.empty() && std::any_of(rules.set.begin(), rules.set.end(),
                                              [&](const auto& fixed) { return core::sameName(fixed.first, name); }))
            continue;
        out.field(name, each.value);
    }
    return ok();
}

Result<void> RemoteCall::writeEnvelope() {
    const soap::VersionShape& shape = soap::shapeOf(endpoint_->soapVersion());
    envelope_.clear();
    envelope_.append(shape.start);
    if (const Element payload = exchange_->payload()) {
        core::PayloadWriter writer;
        writer.begin(envelope_);
        writer.copy(payload);
        if (auto finished = writer.finish(); !finished) return finished;
    }
    envelope_.append(shape.end);
    return ok();
}

void RemoteCall::onAnswer(http::ClientAnswer& answer) {
    if (!exchange_) return over();
    if (redirected(answer)) return;
    if (isRefused(answer)) return over();
    const bool bytes = isBytes();
    // A queue's caller is told apart from a good answer that it is a fault; so is one inside of the bus.
    if (!bytes || (!exchange_->request().head.takesStreams && answer.status >= firstRefusal))
        open(answer);
    else
        pass(answer);
    over();
}

/// Whether the answer is no message of the service's contract; its caller is told so, then.
bool RemoteCall::isRefused(http::ClientAnswer& answer) {
    if (!validator_) return false;
    thread_local xml::Tape tape;
    auto bytes = unpacked(answer);
    if (!bytes) return onFailure(std::move(bytes).error().in(backend->name())), true;
    if (bytes->empty()) return false;
    auto read = soap::readAnswer(*bytes, charsetOf(answer), tape);
    std::optional<core::Fault> fault;
    if (!read && answer.status < 400)
        fault = core::toFault(Error(Error::Kind::BadGateway,
                                    backend->name() + ": its answer is no SOAP message: " + read.error().message()));
    else if (read && !read->fault)
        fault = MessageCheck::answer(*validator_, read->payload);
    tape.clear();
    tape.shrink(keptBuffer);
    if (!fault) return false;
    log::emit(http::BackendFailed,
              {{"request", exchange_->id()}, {"endpoint", endpoint_->name()}, {"reason", fault->reason}});
    core::Exchange::fail(std::move(exchange_), std::move(*fault));
    return true;
}

/// The answer goes on as it is.
void RemoteCall::pass(http::ClientAnswer& answer) {
    core::AnswerDraft& draft = exchange_->draft();
    const http::BackendHeaders& rules = backend->config().headers;
    draft.status = answer.status;
    draft.contentType = answer.head.contentType(answer.base);
    answer.head.fill(draft.passed, answer.base);
    hop_.read(draft.passed);
    draft.passed.keepOnly([&](const core::Header& each) {
        return !http::concernsOneHop(each.name) && !core::sameName(each.name, "Content-Type") &&
               !core::sameName(each.name, "Date") && !hop_.contain(each.name) &&
               !(rules.answer && !isAmong(*rules.answer, each.name));
    });
    draft.bytes = std::move(answer.body);
    draft.raw = true;
    draft.stream = std::move(answer.stream);
    if (headOnly || answer.status == 304) draft.length = answer.length;
    core::Exchange::reply(std::move(exchange_));
}

Result<std::string_view> RemoteCall::unpacked(http::ClientAnswer& answer) {
    std::string_view bytes = answer.body.view();
    const std::string_view coding = answer.head.last(http::HeadParser::Known::ContentEncoding, answer.base);
    if (coding.empty() || core::sameName(coding, "identity")) return bytes;
    const auto known = mime::codingNamed(coding);
    if (!known) return Error(Error::Kind::BadGateway, "its answer has the content coding " + std::string(coding));
    unpacked_.clear();
    if (auto done = mime::inflate(bytes, *known, backend->config().answer, unpacked_); !done)
        return Error(Error::Kind::BadGateway, "the content coding of its answer: " + done.error().message());
    return unpacked_.view();
}

/// The answer's envelope is opened: for callers that take payloads and faults.
void RemoteCall::open(http::ClientAnswer& answer) {
    thread_local xml::Tape tape;
    auto bytes = unpacked(answer);
    if (!bytes) return onFailure(std::move(bytes).error().in(backend->name()));
    const bool refused = answer.status >= firstRefusal;
    if (!refused && bytes->empty()) return core::Exchange::reply(std::move(exchange_));  // 202 and the like
    auto read = soap::readAnswer(*bytes, charsetOf(answer), tape);
    if (!read || (refused && !read->fault)) {
        std::string what = refused ? "it answered with status " + std::to_string(answer.status)
                                   : "its answer is no SOAP message: " + read.error().message();
        onFailure(Error(refused ? kindOf(answer.status) : Error::Kind::BadGateway, backend->name() + ": " + what));
    } else if (read->fault) {
        core::Exchange::fail(std::move(exchange_), std::move(*read->fault));
    } else {
        if (read->payload) exchange_->draft().writer.copy(read->payload);
        core::Exchange::reply(std::move(exchange_));
    }
    tape.clear();
    tape.shrink(keptBuffer);
}

/// Follows a redirect, as far as the configuration lets it.
bool RemoteCall::redirected(const http::ClientAnswer& answer) {
    const int status = answer.status;
    const bool samePlease = status == 307 || status == 308;
    if (redirects_ >= backend->config().redirects || upload ||
        !(samePlease || ((status == 301 || status == 302) && idempotent)))
        return false;
    core::Headers fields;
    answer.head.fill(fields, answer.base);
    const auto location = fields.find("Location");
    if (!location) return false;
    auto url = http::parseHttpUrl(location->starts_with('/') && !location->starts_with("//")
                                      ? "http://" + backend->url().authority + std::string(*location)
                                      : std::string(*location));
    if (!url || url->origin() != backend->url().origin()) return false;
    if (answer.stream) answer.stream->close();
    ++redirects_;
    http::ClientPool& pool = *pool_.load();
    const auto to = backend->at(std::move(*url));
    reset();
    backend = to;
    if (auto written = write(); !written)
        onFailure(std::move(written).error());
    else
        pool.start(shared_from_this());
    return true;
}

void RemoteCall::onFailure(Error error) {
    if (!exchange_) return over();
    if (error.kind() != Error::Kind::Invalid)
        log::emit(http::BackendFailed,
                  {{"request", exchange_->id()}, {"endpoint", endpoint_->name()}, {"reason", error.message()}});
    core::Exchange::fail(std::move(exchange_), std::move(error));
    over();
}

/// On the exchange's home loop.
void RemoteCall::onCancelled() {
    if (!away_) return cancelHere();
    if (http::ClientPool* pool = pool_.load()) endpoint_->client().at(*pool, [call = self()] { call->cancelHere(); });
}

void RemoteCall::cancelHere() {
    if (!exchange_) return;
    const auto held = self();
    cancel();
    core::Exchange::fail(std::move(exchange_), Error(Error::Kind::Timeout, "the caller does not wait any more"));
    over();
}

/// Ready for the next one.
void RemoteCall::over() {
    if (exchange_ || !endpoint_) return;
    const auto held = self();
    reset();
    endpoint_.reset();
    validator_.reset();
    pool_.store(nullptr);
    for (Buffer* each : {&head, &envelope_, &unpacked_}) {
        if (each->capacity() > keptBuffer) *each = Buffer();
        each->clear();
    }
    if (spare().size() < keptCalls) spare().push_back(held);
}

}  // namespace postbus::remote
