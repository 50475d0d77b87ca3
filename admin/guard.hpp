#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/message/wire.hpp"

namespace postbus::admin {

/// Says who may use the admin interface.
///
/// Over the Unix socket whoever may open it. Over TCP: who names this machine in Host (no page that a rebound DNS name
/// brought here, see DNS rebinding), comes from no other origin (no page of another site), and knows the token.
/// Const; used by the loop.
class Guard {
public:
    explicit Guard(std::string token) : token_(std::move(token)) {}

    /// Forbidden or Unauthorized.
    Result<void> check(const core::RequestHead& head) const;

private:
    std::string token_;
};

/// The host of an authority, without its port: "[::1]" of "[::1]:8182".
std::string_view hostOf(std::string_view authority);

}  // namespace postbus::admin
