#pragma once

#include <string_view>

namespace postbus::http {

/// Why a request is turned away before anything but this transport has seen it: a status and a sentence for a person.
/// The text has static storage.
struct Refusal {
    int status = 0;  ///< 0: it is not
    std::string_view reason;
    explicit operator bool() const { return status != 0; }
};

}  // namespace postbus::http
