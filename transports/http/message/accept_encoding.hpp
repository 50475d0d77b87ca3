#pragma once

#include <string_view>

namespace postbus::http {

/// What a caller says of the content codings it takes (RFC 9110 section 12.5.3), as far as it concerns gzip.
class AcceptedCodings {
public:
    /// One field value; there may be several fields.
    void add(std::string_view list);

    /// Whether gzip is welcome: named, or meant by "*", with a weight above zero and not below identity's, if that is
    /// named.
    bool gzip() const;

private:
    // Weights in thousandths; -1: not named.
    int gzip_ = -1, any_ = -1, identity_ = -1;
};

}  // namespace postbus::http
