#include "transports/http/message/answer_head.hpp"

#include <charconv>

#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

void twoDigits(char* at, int number) {
    at[0] = static_cast<char>('0' + number / 10);
    at[1] = static_cast<char>('0' + number % 10);
}

void appendNumber(Buffer& out, std::uint64_t number) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append({digits, static_cast<std::size_t>(end - digits)});
}

void appendField(Buffer& out, std::string_view name, std::string_view value) {
    out.append(name);
    out.append(value);
    out.append("\r\n");
}

}  // namespace

std::string_view DateText::now() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    if (time.tv_sec == second_) return {text_, sizeof text_};
    second_ = time.tv_sec;
    tm parts{};
    gmtime_r(&second_, &parts);
    // "Sun, 06 Nov 1994 08:49:37 GMT"; strftime() would follow the locale.
    constexpr std::string_view days = "SunMonTueWedThuFriSat", months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    std::memcpy(text_, "ddd, dd mmm yyyy hh:mm:ss GMT", sizeof text_);
    std::memcpy(text_, days.data() + 3 * parts.tm_wday, 3);
    twoDigits(text_ + 5, parts.tm_mday);
    std::memcpy(text_ + 8, months.data() + 3 * parts.tm_mon, 3);
    twoDigits(text_ + 12, (parts.tm_year + 1900) / 100);
    twoDigits(text_ + 14, (parts.tm_year + 1900) % 100);
    twoDigits(text_ + 17, parts.tm_hour);
    twoDigits(text_ + 20, parts.tm_min);
    twoDigits(text_ + 23, parts.tm_sec);
    return {text_, sizeof text_};
}

void appendHead(Buffer& out, const AnswerHead& head) {
    if (head.status == 200) {
        out.append("HTTP/1.1 200 OK\r\nDate: ");
    } else {
        out.append("HTTP/1.1 ");
        appendNumber(out, static_cast<std::uint64_t>(head.status));
        out.append(' ');
        out.append(reasonPhrase(head.status));
        out.append("\r\nDate: ");
    }
    appendField(out, {}, head.date);
    if (!head.contentType.empty() && chars::all(head.contentType, chars::value))
        appendField(out, "Content-Type: ", head.contentType);
    if (!head.contentEncoding.empty()) appendField(out, "Content-Encoding: ", head.contentEncoding);
    // RFC 9110 section 8.6: none with 204.
    if (head.body == AnswerHead::Body::Chunked) {
        out.append("Transfer-Encoding: chunked\r\n");
    } else if (head.body == AnswerHead::Body::Length && head.status != 204 && head.status >= 200) {
        out.append("Content-Length: ");
        appendNumber(out, head.length);
        out.append("\r\n");
    }
    if (!head.requestId.empty()) appendField(out, "X-Request-Id: ", head.requestId);
    if (head.vary) out.append("Vary: Accept-Encoding\r\n");
    if (head.retryAfter) {
        out.append("Retry-After: ");
        appendNumber(out, head.retryAfter);
        out.append("\r\n");
    }
    if (head.fields) {
        for (const auto& [name, value] : *head.fields) {
            if (!chars::all(name, chars::token) || (!value.empty() && !chars::all(value, chars::value))) continue;
            out.append(name);
            appendField(out, ": ", value);
        }
    }
    if (head.passed) {
        for (const auto& [name, value] : *head.passed) {
            out.append(name);
            appendField(out, ": ", value);
        }
    }
    if (head.close)
        out.append("Connection: close\r\n");
    else if (head.keepAlive)
        out.append("Connection: keep-alive\r\n");
    out.append("\r\n");
}

std::string_view reasonPhrase(int status) {
    switch (status) {
        case 100:
            return "Continue";
        case 200:
            return "OK";
        case 201:
            return "Created";
        case 202:
            return "Accepted";
        case 204:
            return "No Content";
        case 301:
            return "Moved Permanently";
        case 302:
            return "Found";
        case 303:
            return "See Other";
        case 304:
            return "Not Modified";
        case 307:
            return "Temporary Redirect";
        case 308:
            return "Permanent Redirect";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 406:
            return "Not Acceptable";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 411:
            return "Length Required";
        case 412:
            return "Precondition Failed";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 417:
            return "Expectation Failed";
        case 422:
            return "Unprocessable Content";
        case 426:
            return "Upgrade Required";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 501:
            return "Not Implemented";
        case 502:
            return "Bad Gateway";
        case 503:
            return "Service Unavailable";
        case 504:
            return "Gateway Timeout";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Status";
    }
}

}  // namespace postbus::http
