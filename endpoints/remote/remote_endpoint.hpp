#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bindings/soap/soap_binding.hpp"
#include "core/endpoint/endpoint.hpp"
#include "endpoints/remote/message_check.hpp"
#include "endpoints/remote/remote_documents.hpp"
#include "transports/http/client/backend.hpp"
#include "transports/http/client/http_client.hpp"

namespace postbus::remote {

/// A service behind an http:// address, as an endpoint.
///
/// A request that comes as bytes goes on as it is, without a look inside; so does its answer, a fault of the service's
/// among them; where messages are checked, only after a look. One that comes from inside of the bus is put into an
/// envelope, and the answer's is opened. The caller's deadline is the call's, less a moment, so that the fault can name
/// the backend; a caller that goes takes the call along.
///
/// Thread-safe. Calls go over the loop that the request came on, or over any where that is none of HTTP's.
class RemoteEndpoint final : public core::Endpoint, public std::enable_shared_from_this<RemoteEndpoint> {
public:
    RemoteEndpoint(std::string name, std::shared_ptr<const http::Backend> backend, soap::Version version,
                   http::HttpClient& client, const std::optional<validate::ValidateConfig>& check = std::nullopt);

    void process(core::ExchangePtr exchange) override;
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return name_; }
    std::string_view origin() const override { return address_; }

    /// What its bindings name for each request: a message to be passed on, a document of its WSDL.
    const wsdl::Operation& message() const { return contract_.operations.front(); }
    const wsdl::Operation& document() const { return document_; }

    const std::shared_ptr<const http::Backend>& backend() const { return backend_; }
    soap::Version soapVersion() const { return version_; }
    http::HttpClient& client() { return client_; }
    RemoteDocuments& documents() { return documents_; }
    /// None: messages pass without a look.
    MessageCheck* check() { return check_.get(); }
    const MessageCheck* check() const { return check_.get(); }

private:
    void startCheck(core::ExchangePtr exchange);

    const std::string name_, address_;
    const std::shared_ptr<const http::Backend> backend_;
    const soap::Version version_;
    http::HttpClient& client_;
    wsdl::Contract contract_;
    wsdl::Operation document_;
    RemoteDocuments documents_;
    const std::unique_ptr<MessageCheck> check_;
};

}  // namespace postbus::remote
