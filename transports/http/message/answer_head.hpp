#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "core/message/headers.hpp"

namespace postbus::http {

/// The Date field's value (RFC 9110 section 6.6.1), made anew once a second. Owned by one thread.
class DateText {
public:
    std::string_view now();

private:
    std::time_t second_ = -1;
    char text_[29];
};

/// What the head of an answer says.
struct AnswerHead {
    int status = 200;
    std::string_view date;
    std::string_view contentType;      ///< empty: none
    std::string_view contentEncoding;  ///< empty: none
    std::string_view requestId;
    std::uint64_t length = 0;
    /// How a body without a known length ends: in chunks, or with the connection.
    enum class Body { Length, Chunked, UntilClose } body = Body::Length;
    bool vary = false;  ///< the coding was chosen by Accept-Encoding
    bool close = false;
    bool keepAlive = false;        ///< say so: an HTTP/1.0 client has asked
    std::uint32_t retryAfter = 0;  ///< seconds; 0: none
    const std::vector<std::pair<std::string, std::string>>* fields = nullptr;
    const core::Headers* passed = nullptr;  ///< of another answer
};

/// Appends the head with its last empty line. A content type or further field that could break out of its line is left
/// out: nothing a service says can forge a head (CWE-113).
void appendHead(Buffer& out, const AnswerHead& head);

/// RFC 9110 section 15.
std::string_view reasonPhrase(int status);

}  // namespace postbus::http
