#include "endpoints/remote/remote_endpoint.hpp"

#include <utility>

#include "base/log/event.hpp"
#include "bindings/soap/address.hpp"
#include "bindings/soap/wsdl_query.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "endpoints/remote/remote_call.hpp"
#include "transports/http/client/client_events.hpp"

namespace postbus::remote {
namespace {

/// Answers with the document that the query asks for.
void serve(core::ExchangePtr exchange, const FetchedDocuments& documents) {
    const core::RequestHead& head = exchange->request().head;
    const auto query = soap::WsdlQuery::of(head.query);
    const wsdl::Template* found = nullptr;
    if (query.asks == soap::WsdlQuery::Asks::Wsdl && query.name.empty()) {
        found = &documents.wsdl;
    } else if (const auto at = documents.beside.find(query.name); at != documents.beside.end()) {
        found = &at->second;
    }
    if (!found)
        return core::Exchange::fail(std::move(exchange),
                                    Error(Error::Kind::NotFound, "the contract has no document of that name"));
    found->append(exchange->draft().bytes, soap::addressOf(head));
    core::Exchange::reply(std::move(exchange));
}

/// What the documents could not be had for.
void failWithout(const RemoteEndpoint& endpoint, core::ExchangePtr exchange, Error error) {
    log::emit(http::BackendFailed,
              {{"request", exchange->id()}, {"endpoint", endpoint.name()}, {"reason", error.message()}});
    core::Exchange::fail(std::move(exchange), std::move(error));
}

void serveDocument(const std::shared_ptr<RemoteEndpoint>& endpoint, core::ExchangePtr exchange,
                   http::ClientPool& pool) {
    const auto control = exchange->request().head.headers.find("Cache-Control");
    const bool anew = control && control->find("no-cache") != std::string_view::npos;
    RemoteDocuments& documents = endpoint->documents();
    // std::function holds copies only.
    const auto held = std::make_shared<core::ExchangePtr>(std::move(exchange));
    documents.get(pool, anew, endpoint, [held, endpoint](Result<RemoteDocuments::Documents> result) {
        if (result) return serve(std::move(*held), **result);
        failWithout(*endpoint, std::move(*held), std::move(result).error());
    });
}

/// Sends a message on that is good by the service's schema.
void passChecked(const std::shared_ptr<RemoteEndpoint>& endpoint, core::ExchangePtr exchange,
                 const RemoteDocuments::Documents& documents) {
    auto validator = endpoint->check()->validatorFor(documents);
    if (!validator) return failWithout(*endpoint, std::move(exchange), std::move(validator).error());
    std::optional<core::Fault> fault;
    if (endpoint->check()->ofRequests()) fault = MessageCheck::request(**validator, exchange->payload());
    if (fault) return core::Exchange::fail(std::move(exchange), std::move(*fault));
    RemoteCall::begin(endpoint, std::move(exchange), endpoint->check()->ofAnswers() ? *validator : nullptr);
}

/// On the loop of `pool`, which need not be the exchange's own.
void fetchAndCheck(const std::shared_ptr<RemoteEndpoint>& endpoint, core::ExchangePtr exchange,
                   http::ClientPool& pool) {
    const auto held = std::make_shared<core::ExchangePtr>(std::move(exchange));
    endpoint->documents().get(pool, false, endpoint, [held, endpoint](Result<RemoteDocuments::Documents> result) {
        core::ExchangePtr its = std::move(*held);
        if (!result) return failWithout(*endpoint, std::move(its), std::move(result).error());
        core::Exchange* const lent = its.get();
        if (lent->home().loop().here()) return passChecked(endpoint, std::move(its), *result);
        (void)its.release();  // the task has it
        lent->home().loop().post(
            [endpoint, lent, documents = *result] { passChecked(endpoint, core::ExchangePtr(lent), documents); });
    });
}

}  // namespace

RemoteEndpoint::RemoteEndpoint(std::string name, std::shared_ptr<const http::Backend> backend, soap::Version version,
                               http::HttpClient& client, const std::optional<validate::ValidateConfig>& check)
    : name_(std::move(name)),
      address_(backend->url().text()),
      backend_(std::move(backend)),
      version_(version),
      client_(client),
      documents_(backend_),
      check_(check ? std::make_unique<MessageCheck>(*check) : nullptr) {
    contract_.name = name_;
    wsdl::Operation& any = contract_.operations.emplace_back();
    any.name = "any";
    any.any = any.nonblocking = true;
    document_.name = "wsdl";
    document_.nonblocking = true;
}

void RemoteEndpoint::process(core::ExchangePtr exchange) {
    core::Exchange& held = *exchange;
    if (!held.home().loop().here()) {  // by the route's own will, on a worker
        core::Exchange* const lent = exchange.release();
        return held.home().loop().post([self = shared_from_this(), lent] { self->process(core::ExchangePtr(lent)); });
    }
    if (held.operation() != &document_) {
        if (!check_) return RemoteCall::begin(shared_from_this(), std::move(exchange), nullptr);
        return startCheck(std::move(exchange));
    }
    http::ClientPool* const pool = client_.here();
    if (!pool)
        return core::Exchange::fail(std::move(exchange),
                                    Error(Error::Kind::Unsupported, "documents are had over HTTP"));
    serveDocument(shared_from_this(), std::move(exchange), *pool);
}

void RemoteEndpoint::startCheck(core::ExchangePtr exchange) {
    if (http::ClientPool* const pool = client_.here())
        return fetchAndCheck(shared_from_this(), std::move(exchange), *pool);
    const auto held = std::make_shared<core::ExchangePtr>(std::move(exchange));
    if (!client_.elsewhere(
            [self = shared_from_this(), held](http::ClientPool& pool) { fetchAndCheck(self, std::move(*held), pool); }))
        core::Exchange::fail(std::move(*held), Error(Error::Kind::Unavailable, "the bus is stopping"));
}

}  // namespace postbus::remote
