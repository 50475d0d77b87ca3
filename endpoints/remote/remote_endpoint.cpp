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

void serveDocument(const std::shared_ptr<RemoteEndpoint>& endpoint, core::ExchangePtr exchange,
                   http::ClientPool& pool) {
    const auto control = exchange->request().head.headers.find("Cache-Control");
    const bool anew = control && control->find("no-cache") != std::string_view::npos;
    RemoteDocuments& documents = endpoint->documents();
    // std::function holds copies only.
    const auto held = std::make_shared<core::ExchangePtr>(std::move(exchange));
    documents.get(pool, anew, endpoint, [held, name = endpoint->name()](Result<RemoteDocuments::Documents> result) {
        if (result) return serve(std::move(*held), **result);
        log::emit(http::BackendFailed,
                  {{"request", (*held)->id()}, {"endpoint", name}, {"reason", result.error().message()}});
        core::Exchange::fail(std::move(*held), std::move(result).error());
    });
}

}  // namespace

RemoteEndpoint::RemoteEndpoint(std::string name, std::shared_ptr<const http::Backend> backend, soap::Version version,
                               http::HttpClient& client)
    : name_(std::move(name)),
      address_(backend->url().text()),
      backend_(std::move(backend)),
      version_(version),
      client_(client),
      documents_(backend_) {
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
    if (held.operation() != &document_) return RemoteCall::begin(shared_from_this(), std::move(exchange));
    http::ClientPool* const pool = client_.here();
    if (!pool)
        return core::Exchange::fail(std::move(exchange),
                                    Error(Error::Kind::Unsupported, "documents are had over HTTP"));
    serveDocument(shared_from_this(), std::move(exchange), *pool);
}

}  // namespace postbus::remote
