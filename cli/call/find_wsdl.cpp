#include "cli/call/find_wsdl.hpp"

#include <Poco/Exception.h>
#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <filesystem>

#include "base/base64.hpp"
#include "cli/admin_client.hpp"
#include "cli/call/failure.hpp"
#include "cli/call/http.hpp"
#include "cli/call/value.hpp"
#include "config/suggest.hpp"
#include "formats/wsdl/reader/load.hpp"

namespace postbus::cli {
namespace {

using Poco::JSON::Array;
using Poco::JSON::Object;

constexpr int mostRedirects = 5;

bool isUrl(const std::string& target) { return target.find("://") != std::string::npos; }

bool isFile(const std::string& target) {
    std::error_code ignored;
    return target.find('/') != std::string::npos || target.ends_with(".wsdl") || target.ends_with(".xml") ||
           std::filesystem::is_regular_file(target, ignored);
}

std::string textOf(const Object& object, const std::string& name) {
    return object.isNull(name) ? std::string() : object.getValue<std::string>(name);
}

/// The WSDL of an endpoint as the admin interface knows it.
std::string ofEndpoint(const CallArguments& call) {
    const AdminClient::Answer answer = AdminClient::connect(call.admin).ask("GET", "/endpoints");
    const auto object = Poco::JSON::Parser().parse(answer.body).extract<Object::Ptr>();
    if (answer.status != 200)
        throw CallFailure(exitFailed, object->has("error")
                                          ? textOf(*object, "error")
                                          : "the daemon answered with status " + std::to_string(answer.status));
    const Array::Ptr list = object->getArray("endpoints");
    std::vector<std::string> names;
    for (unsigned i = 0; list && i < list->size(); ++i) {
        const Object& each = *list->getObject(i);
        names.push_back(textOf(each, "name"));
        if (names.back() != call.target) continue;
        const Array::Ptr wsdl = each.getArray("wsdl");
        if (wsdl && wsdl->size() > 0) return wsdl->getElement<std::string>(0);
        const std::string reason = textOf(each, "reason");
        throw CallFailure(exitFailed, "the endpoint " + call.target + " has no WSDL that could be reached over HTTP" +
                                          (reason.empty() ? "" : ": " + reason));
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw CallFailure(exitUsage, "the daemon has no endpoint '" + call.target + "'" +
                                     (known.empty() ? std::string() : config::remedy(call.target, known)) +
                                     "; a WSDL is given by its URL or as a file");
}

Result<std::string> fetchHttp(const CallArguments& call, std::string url, const std::string& origin) {
    for (int i = 0; i <= mostRedirects; ++i) {
        HttpRequest request{"GET", url, {{"Accept", "text/xml, application/xml, */*"}}, ""};
        if (originOf(url) == origin) {
            request.headers.insert(request.headers.end(), call.headers.begin(), call.headers.end());
            if (!call.user.empty()) request.headers.emplace_back("Authorization", basicCredentials(call.user));
        }
        auto answer = httpExchange(request, call.timeout);
        if (!answer) return std::move(answer).error();
        if (answer->status == 200) return std::move(answer->body);
        const std::string to = answer->header("Location");
        if (answer->status < 300 || answer->status > 399 || to.empty())
            return Error(Error::Kind::Invalid, "HTTP " + std::to_string(answer->status) + ' ' + answer->reason);
        auto next = wsdl::resolveLocation(url, to);
        if (!next) return std::move(next).error();
        url = *std::move(next);
    }
    return Error::invalid("redirected more than " + std::to_string(mostRedirects) + " times");
}

ExitStatus statusOf(const Error& error) {
    switch (error.kind()) {
        case Error::Kind::Unavailable:
            return exitUnreachable;
        case Error::Kind::Timeout:
        case Error::Kind::Internal:
            return exitFailed;
        default:
            return exitInvalid;
    }
}

}  // namespace

std::string basicCredentials(const std::string& user) { return "Basic " + base64(user); }

std::string findWsdl(const CallArguments& call) {
    if (call.target.starts_with("file://")) return call.target.substr(7);
    return isUrl(call.target) || isFile(call.target) ? call.target : ofEndpoint(call);
}

wsdl::Description loadWsdl(const CallArguments& call, const std::string& location) {
    const std::string origin = originOf(location);
    const auto fetch = [&](const std::string& from) -> Result<std::string> {
        if (isUrl(from)) return fetchHttp(call, from, origin);
        auto content = readFile(from);
        if (content) return content;
        // The location stands in front of what is told anyway.
        const std::string& text = content.error().message();
        return Error(content.error().kind(), text.starts_with(from + ": ") ? text.substr(from.size() + 2) : text);
    };
    auto description = wsdl::load(location, fetch);
    if (description) return *std::move(description);
    std::string text = description.error().message();
    const bool maybeService =
        isUrl(location) && location.find('?') == std::string::npos && !location.ends_with(".wsdl");
    if (maybeService && statusOf(description.error()) == exitInvalid)
        text += " (the WSDL of a service is often at " + location + "?wsdl)";
    throw CallFailure(statusOf(description.error()), text);
}

}  // namespace postbus::cli
