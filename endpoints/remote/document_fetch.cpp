#include "endpoints/remote/document_fetch.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/xml/parse.hpp"
#include "transports/http/client/call_head.hpp"

namespace postbus::remote {
namespace {

constexpr std::size_t mostDocuments = 100;
constexpr std::size_t mostBytes = std::size_t{32} << 20;
constexpr std::chrono::seconds patience{20};

/// A value as it stands in an attribute: of references only "&" is ever escaped.
std::string unescaped(std::string_view text) {
    std::string plain;
    constexpr std::string_view escaped = "&amp;";
    while (!text.empty()) {
        plain += text.front();
        text.remove_prefix(text.starts_with(escaped) ? escaped.size() : 1);
    }
    return plain;
}

std::string withoutDots(std::string_view path) {
    std::vector<std::string_view> kept;
    std::string_view rest = path.substr(1);
    for (bool more = true; more;) {
        const std::size_t slash = rest.find('/');
        more = slash != std::string_view::npos;
        const std::string_view segment = rest.substr(0, slash);
        if (segment == "..") {
            if (!kept.empty()) kept.pop_back();
            if (!more) kept.push_back("");
        } else if (segment != "." || !more) {
            kept.push_back(segment == "." ? "" : segment);
        }
        if (more) rest.remove_prefix(slash + 1);
    }
    std::string result;
    for (const std::string_view each : kept) (result += '/') += each;
    return result.empty() ? "/" : result;
}

/// As a validator wants it: references are the plain names of documents. (Our queries stand behind an address; names
/// are made of letters that a query leaves as they are.)
std::string referringByName(const wsdl::Template& ready) {
    constexpr std::string_view here = "urn:postbus:document";
    std::string text = ready.render(here);
    for (const std::string_view query : {"?xsd=", "?wsdl="}) {
        const std::string reference = std::string(here).append(query);
        for (std::size_t at = 0; (at = text.find(reference, at)) != std::string::npos;)
            text.erase(at, reference.size());
    }
    return text;
}

}  // namespace

Result<http::HttpUrl> resolved(const http::HttpUrl& base, std::string_view reference) {
    const std::string_view first = reference.substr(0, reference.find_first_of("/?#"));
    if (first.find(':') != std::string_view::npos) return http::parseHttpUrl(reference);
    if (reference.starts_with("//")) return http::parseHttpUrl("http:" + std::string(reference));
    std::string_view path = reference.substr(0, reference.find('?'));
    const std::string_view query = reference.substr(path.size());
    std::string whole = "http://" + base.authority;
    if (path.empty())
        whole += base.path;
    else if (path.front() == '/')
        whole += withoutDots(path);
    else
        whole += withoutDots(base.path.substr(0, base.path.rfind('/') + 1) + std::string(path));
    return http::parseHttpUrl(whole + std::string(query));
}

void DocumentFetch::begin() {
    deadline = pool_.now() + patience;
    http::HttpUrl url = service_->url();
    if (const std::string& named = service_->config().wsdl; !named.empty()) {
        auto parsed = http::parseHttpUrl(named);
        if (!parsed) return onFailure(std::move(parsed).error());
        url = std::move(*parsed);
    } else {
        url.query = "wsdl";
    }
    names_[url.text()] = "";
    wanted_.push_back(std::move(url));
    next();
}

void DocumentFetch::next() {
    if (wanted_.empty()) return finish();
    const TimePoint until = deadline;
    reset();
    deadline = until;
    backend = service_->at(std::move(wanted_.front()));
    wanted_.pop_front();
    idempotent = true;
    http::CallHead out(head);
    if (auto begun = out.begin("GET", *backend, {}); !begun) return onFailure(std::move(begun).error());
    out.field("Accept", "text/xml, application/wsdl+xml, application/xml, */*;q=0.1");
    out.end();
    pool_.start(shared_from_this());
}

void DocumentFetch::onAnswer(http::ClientAnswer& answer) {
    if (answer.status != 200)
        return onFailure(Error(Error::Kind::BadGateway,
                               backend->name() + ": it answered with status " + std::to_string(answer.status)));
    if (auto taken = take(answer.body.view()); !taken)
        return onFailure(
            Error(Error::Kind::BadGateway, backend->name() + ": the document is no good: " + taken.error().message()));
    next();
}

/// Notes a document and what it refers to.
Result<void> DocumentFetch::take(std::string_view document) {
    xml::Tape tape;
    if (auto parsed = xml::parse(document, {}, xml::Limits{}, tape); !parsed) return parsed;
    bytes_ += document.size();
    if (bytes_ > mostBytes) return Error::invalid("all documents together are larger than 32 MiB");
    const http::HttpUrl& own = backend->url();
    documents_[own.text()] = {own, std::string(document)};
    (void)wsdl::findAddresses(document, [&](std::string_view location) {
        const auto url = resolved(own, unescaped(location));
        if (url && url->origin() == service_->url().origin() && !names_.contains(url->text()) &&
            names_.size() < mostDocuments) {
            names_[url->text()] = nameFor(*url);
            wanted_.push_back(*url);
        }
        return std::string();
    });
    return ok();
}

/// What it is asked for by at our address: the name its own server has for it, where that can be told.
std::string DocumentFetch::nameFor(const http::HttpUrl& url) {
    std::string name =
        url.query.empty() ? url.path.substr(url.path.rfind('/') + 1) : url.query.substr(url.query.find('=') + 1);
    std::replace_if(
        name.begin(), name.end(),
        [](char c) {
            return !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && !(c >= '0' && c <= '9') && c != '.' && c != '-';
        },
        '_');
    if (name.empty()) name = "document";
    const auto taken = [&](const std::string& wanted) {
        return std::any_of(names_.begin(), names_.end(), [&](const auto& each) { return each.second == wanted; });
    };
    std::string unique = name;
    for (int number = 2; taken(unique); ++number) unique = std::to_string(number) + '-' + name;
    return unique;
}

void DocumentFetch::finish() {
    auto made = std::make_shared<FetchedDocuments>();
    for (const auto& each : documents_) {
        const Document& document = each.second;
        wsdl::Template ready = wsdl::findAddresses(document.text, [&](std::string_view location) {
            const auto url = resolved(document.url, unescaped(location));
            const auto known = url ? names_.find(url->text()) : names_.end();
            return known != names_.end() && documents_.contains(known->first) ? known->second : std::string();
        });
        const std::string& name = names_[each.first];
        if (name.empty()) {
            made->contract.document = referringByName(ready);
            made->wsdl = std::move(ready);
        } else {
            made->contract.documents[name] = referringByName(ready);
            made->beside.emplace(name, std::move(ready));
        }
    }
    std::exchange(then_, nullptr)(RemoteDocuments::Documents(std::move(made)));
}

void DocumentFetch::onFailure(Error error) { std::exchange(then_, nullptr)(std::move(error).in("its WSDL")); }

}  // namespace postbus::remote
