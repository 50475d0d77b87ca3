#pragma once

#include <deque>
#include <string>

#include "endpoints/remote/remote_documents.hpp"
#include "transports/http/client/client_call.hpp"

namespace postbus::remote {

/// Fetches a WSDL and, one after the other, the WSDLs and schemas that it and they refer to, as far as they lie on the
/// same server. On one loop; kept alive by the call under way.
class DocumentFetch final : public http::ClientCall {
public:
    DocumentFetch(std::shared_ptr<const http::Backend> service, http::ClientPool& pool, RemoteDocuments::Then then)
        : service_(std::move(service)), pool_(pool), then_(std::move(then)) {}

    void begin();

private:
    void next();
    void onAnswer(http::ClientAnswer& answer) override;
    void onFailure(Error error) override;
    Result<void> take(std::string_view document);
    void finish();
    std::string nameFor(const http::HttpUrl& url);

    struct Document {
        http::HttpUrl url;
        std::string text;
    };

    const std::shared_ptr<const http::Backend> service_;
    http::ClientPool& pool_;
    RemoteDocuments::Then then_;
    std::deque<http::HttpUrl> wanted_;
    std::map<std::string, std::string> names_;  // of those that are to be served, by URL; empty for the first
    std::map<std::string, Document> documents_;
    std::size_t bytes_ = 0;
};

/// What a reference in the document at `base` leads to, as RFC 3986 section 5 has it; an error where that is no http
/// address.
Result<http::HttpUrl> resolved(const http::HttpUrl& base, std::string_view reference);

}  // namespace postbus::remote
