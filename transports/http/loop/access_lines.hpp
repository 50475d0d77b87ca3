#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/buffer.hpp"
#include "base/clock.hpp"

namespace postbus::http {

/// What the access log tells of one answer.
struct AccessEntry {
    std::string_view peer, method, path, requestId, endpoint, operation;
    int status = 0;
    std::uint64_t bytes = 0;  ///< of the body, as it went out
    std::chrono::microseconds duration{0};
};

/// The access log of one loop: lines are gathered and written in pieces. Owned by the loop.
///
/// Text: TIME PEER METHOD PATH STATUS BYTES MICROSECONDS us ID ENDPOINT OPERATION, with - for what is not known; JSON:
/// one object. Values are escaped, so a caller can't forge a line. The query is left out: it may hold secrets.
class AccessLines {
public:
    static bool enabled();

    /// True when this is the first line since the last flush(): one is due within a second.
    bool add(const AccessEntry& entry);
    void flush();

private:
    void text(const AccessEntry& entry);
    void json(const AccessEntry& entry);
    std::string_view time();

    Buffer lines_;
    std::int64_t millisecond_ = -1, second_ = -1;
    char time_[24];
};

}  // namespace postbus::http
