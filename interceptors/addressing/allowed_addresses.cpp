#include "interceptors/addressing/allowed_addresses.hpp"

#include <algorithm>
#include <utility>

namespace postbus::addressing {
namespace {

constexpr std::string_view queueStart = "jms:queue:";

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

/// scheme://authority/path in small letters up to the path; an address without a path gets "/". jms: likewise up to the
/// name of the queue, without parameters, which say how to send and not where to.
std::string normalised(std::string_view address) {
    if (lowered(address.substr(0, queueStart.size())) == queueStart)
        return std::string(queueStart) += address.substr(queueStart.size(), address.find('?') - queueStart.size());
    const std::size_t slashes = address.find("://");
    if (slashes == std::string_view::npos) return std::string(address);
    const std::size_t path = address.find_first_of("/?#", slashes + 3);
    std::string out = lowered(address.substr(0, path));
    if (path == std::string_view::npos || address[path] != '/') out += '/';
    if (path != std::string_view::npos) out += address.substr(path);
    return out;
}

bool isHttp(std::string_view address) { return address.starts_with("http://") || address.starts_with("https://"); }

std::string_view authorityOf(std::string_view address) {
    address.remove_prefix(address.find("://") + 3);
    return address.substr(0, address.find('/'));
}

/// Whether two readers could take it for different addresses. Of a normalised one.
bool isAmbiguous(std::string_view address) {
    if (!isHttp(address)) return false;
    if (authorityOf(address).find_first_of("@\\") != std::string_view::npos) return true;
    const std::string_view path = address.substr(0, address.find_first_of("?#"));
    if (path.find("/./") != std::string_view::npos || path.find("/../") != std::string_view::npos) return true;
    if (path.ends_with("/.") || path.ends_with("/..") || path.find('\\') != std::string_view::npos) return true;
    const std::string escapes = lowered(path);
    return escapes.find("%2e") != std::string::npos || escapes.find("%2f") != std::string::npos ||
           escapes.find("%5c") != std::string::npos;
}

}  // namespace

AllowedAddresses::AllowedAddresses(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {
    for (std::string& each : patterns_) each = normalised(each);
}

bool AllowedAddresses::has(std::string_view address) const {
    if (patterns_.empty()) return false;
    const std::string wanted = normalised(address);
    if (isAmbiguous(wanted)) return false;
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
        if (pattern.back() != '*') return wanted == pattern;
        return wanted.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
    });
}

Result<void> AllowedAddresses::checkPattern(std::string_view pattern) {
    const std::string normal = normalised(pattern);
    // Else http://host* would allow http://host.elsewhere/.
    if (isHttp(normal) && authorityOf(normal).find('*') != std::string_view::npos)
        return Error::invalid("has a '*' before its path; write all of the host and port, and a '/'");
    const std::size_t star = normal.find('*');
    if (star != std::string::npos && star + 1 != normal.size())
        return Error::invalid("has a '*' that is not at its end");
    if (normal.starts_with(queueStart)) {
        if (normal.size() == queueStart.size()) return Error::invalid("names no queue");
        return ok();
    }
    if (normal.starts_with("https://"))
        return Error::invalid("has the scheme https, which this version of Postbus does not send to");
    if (!isHttp(normal))
        return Error::invalid("is no address that this bus sends to; write http://HOST:PORT/PATH or jms:queue:NAME");
    if (authorityOf(normal).empty()) return Error::invalid("names no host");
    if (isAmbiguous(normal)) return Error::invalid("has a user name, a '.' or '..' segment, or an escaped '/' or '.'");
    return ok();
}

}  // namespace postbus::addressing
