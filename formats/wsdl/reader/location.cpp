#include <vector>

#include "formats/wsdl/reader/load.hpp"
#include "formats/xml/chars.hpp"

namespace postbus::wsdl {
namespace {

bool isHttp(std::string_view location) { return location.starts_with("http://") || location.starts_with("https://"); }

/// "a/./b/../c" as "a/c"; what leads above the start stays there where `rooted`, else is kept ("../x").
std::string withoutDots(std::string_view path, bool rooted) {
    std::vector<std::string_view> kept;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string_view segment = path.substr(at, end - at);
        at = end + 1;
        const bool last = end == path.size();
        if (segment == "..") {
            if (!kept.empty() && kept.back() != "..")
                kept.pop_back();
            else if (!rooted)
                kept.push_back(segment);
        } else if (segment != "." && (!segment.empty() || last)) {
            kept.push_back(segment);
        }
    }
    std::string joined;
    for (const std::string_view each : kept) (joined += joined.empty() ? "" : "/") += each;
    return joined;
}

/// RFC 3986 section 5.2, for what WSDLs have: no fragment matters.
std::string resolveHttp(std::string_view from, std::string_view reference) {
    const std::size_t hostEnd = std::min(from.find_first_of("/?", from.find("://") + 3), from.size());
    const std::string origin(from.substr(0, hostEnd));
    if (reference.starts_with("//")) return std::string(from.substr(0, from.find("://") + 1)) += reference;
    std::string_view path = from.substr(hostEnd);
    path = path.substr(0, path.find('?'));
    if (reference.starts_with('?')) return origin + std::string(path.empty() ? "/" : path) + std::string(reference);
    const std::size_t query = std::min(reference.find('?'), reference.size());
    std::string full;
    if (!reference.starts_with('/'))
        full = path.substr(0, path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
    full += reference.substr(0, query);
    return (origin + '/' += withoutDots(full.substr(full.starts_with('/') ? 1 : 0), true)) += reference.substr(query);
}

}  // namespace

Result<std::string> resolveLocation(const std::string& from, std::string_view reference) {
    reference = reference.substr(0, reference.find('#'));
    std::string shown;
    xml::appendPrintable(shown, reference, 200);
    if (isHttp(reference)) return std::string(reference);
    const bool fromHttp = isHttp(from);
    const bool file = reference.starts_with("file:");
    const std::size_t colon = reference.find(':');
    const bool other = !file && colon != std::string_view::npos && colon < reference.find_first_of("/?") && colon > 1;
    if (other) return Error::invalid("'" + shown + "' is neither http, https nor a relative location");
    if (fromHttp && file)
        return Error::invalid("a document from the network may not refer to the file '" + shown + "'");
    if (fromHttp) return resolveHttp(from, reference);

    if (file) reference.remove_prefix(reference.starts_with("file://") ? 7 : 5);
    const std::size_t slash = from.rfind('/');
    std::string path;
    if (!reference.starts_with('/') && slash != std::string::npos) path = from.substr(0, slash + 1);
    path += reference;
    const bool rooted = path.starts_with('/');
    return (rooted ? "/" : "") + withoutDots(rooted ? std::string_view(path).substr(1) : path, rooted);
}

}  // namespace postbus::wsdl
