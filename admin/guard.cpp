#include "admin/guard.hpp"

#include "admin/token.hpp"

namespace postbus::admin {
namespace {

/// The authority of an origin, empty for "null" and what is no origin (RFC 6454 section 6.1).
std::string_view authorityOf(std::string_view origin) {
    const auto at = origin.find("://");
    return at == std::string_view::npos ? std::string_view{} : origin.substr(at + 3);
}

std::string_view bearer(std::string_view authorization) {
    constexpr std::string_view scheme = "Bearer ";
    if (authorization.size() < scheme.size()) return {};
    if (!core::sameName(authorization.substr(0, scheme.size()), scheme)) return {};
    authorization.remove_prefix(scheme.size());
    while (!authorization.empty() && authorization.front() == ' ') authorization.remove_prefix(1);
    return authorization;
}

bool isLoopback(std::string_view host) {
    for (const std::string_view each : {"localhost", "127.0.0.1", "[::1]"})
        if (core::sameName(host, each)) return true;
    return false;
}

}  // namespace

std::string_view hostOf(std::string_view authority) {
    const auto bracket = authority.rfind(']');
    const auto colon = authority.rfind(':');
    if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) return authority;
    return authority.substr(0, colon);
}

Result<void> Guard::check(const core::RequestHead& head) const {
    if (head.local) return ok();
    if (!isLoopback(hostOf(head.host)))
        return Error(Error::Kind::Forbidden, "Host must be localhost, 127.0.0.1 or [::1]");
    if (const auto origin = head.headers.find("Origin"); origin && !core::sameName(authorityOf(*origin), head.host))
        return Error(Error::Kind::Forbidden, "a page of another origin may not use the admin interface");
    const auto authorization = head.headers.find("Authorization");
    if (!authorization)
        return Error(Error::Kind::Unauthorized,
                     "say who you are with Authorization: Bearer TOKEN; the token stands in admin.token in the state "
                     "folder");
    if (!sameSecret(bearer(*authorization), token_)) return Error(Error::Kind::Unauthorized, "the token is wrong");
    return ok();
}

}  // namespace postbus::admin
