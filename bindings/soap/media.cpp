#include "bindings/soap/media.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace postbus::soap {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> taken{
    {{"text", "xml"},
     {"application", "soap+xml"},
     {"application", "xml"},
     {"application", "soap"},
     {"application", "x-www-form-urlencoded"}}};

// What nearly all clients write.
constexpr std::array<std::string_view, 4> usualSpellings{"text/xml; charset=utf-8", "text/xml; charset=UTF-8",
                                                         "text/xml;charset=UTF-8", "text/xml;charset=utf-8"};

Error notTaken(const std::string& what) {
    return {Error::Kind::Unsupported, what + "; send text/xml or application/soap+xml"};
}

/// The value of SOAPAction without blanks and quotes around it (SOAP 1.1 section 6.1.1 wants them, many send none).
std::string_view unquoted(std::string_view value) {
    const std::size_t first = value.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    value = value.substr(first, value.find_last_not_of(" \t") - first + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') return value.substr(1, value.size() - 2);
    return value;
}

}  // namespace

Result<Media> Media::of(const core::RequestHead& head) {
    Media media;
    media.head_ = &head;
    media.usual_ = std::find(usualSpellings.begin(), usualSpellings.end(), head.contentType) != usualSpellings.end();
    if (media.usual_) return media;
    if (head.contentType.find_first_not_of(" \t") == std::string_view::npos) return media;

    auto parsed = mime::MediaType::parse(head.contentType);
    if (!parsed) return notTaken("Content-Type: " + parsed.error().message());
    media.type_ = *parsed;
    const bool known =
        std::any_of(taken.begin(), taken.end(), [&](const auto& each) { return parsed->is(each.first, each.second); });
    if (known) return media;
    return notTaken("a message of type " + std::string(parsed->type()) + "/" + std::string(parsed->subtype()) +
                    " is not taken here");
}

std::string_view Media::charset(std::string& memory) const {
    return usual_ ? "utf-8" : type_.parameter("charset", memory).value_or("");
}

std::string_view Media::action(std::string& memory) const {
    const std::string_view header = unquoted(head_->headers.find("SOAPAction").value_or(""));
    if (usual_) return header;
    const std::string_view parameter = type_.parameter("action", memory).value_or("");
    const std::string_view first = soap12() ? parameter : header, second = soap12() ? header : parameter;
    return first.empty() ? second : first;
}

}  // namespace postbus::soap
