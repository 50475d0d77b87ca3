#include "transports/http/parser/head_parser.hpp"

#include <cstring>
#include <type_traits>

#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

using Known = HeadParser::Known;

constexpr std::size_t longestMethod = 32;
constexpr std::uint8_t emptyLinesAllowed = 2;

constexpr Refusal bareLf{400, "a line ends with a bare LF; lines end with CR LF"};
constexpr Refusal bareCr{400, "the head holds a bare CR; lines end with CR LF"};
constexpr Refusal notHttp{400, "this is not an HTTP/1.1 request"};
constexpr Refusal tls{400, "this is TLS, but the port speaks plain HTTP; use http:// in the address"};
constexpr Refusal http2{400, "this is HTTP/2, but the port speaks HTTP/1.1"};
constexpr Refusal badLine{400, "the request line is not METHOD SP TARGET SP HTTP/1.1"};
constexpr Refusal badStatus{400, "it does not begin with HTTP/1.1 SP STATUS SP REASON"};

/// Whether a token is `lower`, which consists of small letters and '-', in any case: no other character of a token
/// becomes one of these when bit 5 is set.
template <std::size_t size>
bool named(std::string_view name, const char (&lower)[size]) {
    constexpr std::size_t length = size - 1;
    using Word = std::conditional_t<length >= 8, std::uint64_t, std::uint32_t>;
    const auto same = [&](std::size_t at) {
        Word mine, theirs;
        std::memcpy(&mine, name.data() + at, sizeof mine);
        std::memcpy(&theirs, lower + at, sizeof theirs);
        return (mine | static_cast<Word>(0x2020202020202020)) == theirs;
    };
    for (std::size_t at = 0; at + sizeof(Word) <= length; at += sizeof(Word))
        if (!same(at)) return false;
    return length % sizeof(Word) == 0 || same(length - sizeof(Word));
}

Known knownName(std::string_view name) {
    const auto either = [&](const auto& lower, Known known) { return named(name, lower) ? known : Known::Other; };
    switch (name.size()) {
        case 4:
            return either("host", Known::Host);
        case 6:
            return either("expect", Known::Expect);
        case 10:
            return (name[0] | 0x20) == 'c' ? either("connection", Known::Connection)
                                           : either("keep-alive", Known::KeepAlive);
        case 12:
            return (name[0] | 0x20) == 'c' ? either("content-type", Known::ContentType)
                                           : either("postbus-hops", Known::Hops);
        case 14:
            return either("content-length", Known::ContentLength);
        case 15:
            if ((name[0] | 0x20) == 'p') return either("postbus-timeout", Known::TimeLeft);
            return (name[0] | 0x20) == 'a' ? either("accept-encoding", Known::AcceptEncoding)
                                           : either("x-forwarded-for", Known::ForwardedFor);
        case 16:
            if ((name[0] | 0x20) == 'c') return either("content-encoding", Known::ContentEncoding);
            return (name[12] | 0x20) == 'h' ? either("x-forwarded-host", Known::ForwardedHost)
                                            : either("x-forwarded-port", Known::ForwardedPort);
        case 17:
            return (name[0] | 0x20) == 't' ? either("transfer-encoding", Known::TransferEncoding)
                                           : either("x-forwarded-proto", Known::ForwardedProto);
        default:
            return Known::Other;
    }
}

Span spanOf(std::size_t at, std::size_t length) {
    return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(length)};
}

}  // namespace

void HeadParser::reset(Limits limits, Of what) {
    limits_ = limits;
    what_ = what;
    statusCode_ = 0;
    // Offsets are 32 bits wide.
    constexpr std::size_t most = std::size_t{1} << 30;
    if (limits_.bytes == 0 || limits_.bytes > most) limits_.bytes = most;
    scanned_ = lineStart_ = 0;
    emptyLines_ = 0;
    lineDone_ = close_ = keep_ = isHead_ = isOptions_ = false;
    minor_ = 1;
    seen_ = 0;
    method_ = host_ = contentType_ = {};
    target_ = {};
    fields_.clear();
    framing_ = {};
    refusal_ = {};
}

HeadParser::Status HeadParser::fail(Refusal refusal) {
    refusal_ = refusal;
    return Status::Failed;
}

HeadParser::Status HeadParser::parse(char* data, std::size_t size) {
    for (;;) {
        const auto* found = static_cast<const char*>(std::memchr(data + scanned_, '\n', size - scanned_));
        if (!found) return incomplete(data, size);
        const auto end = static_cast<std::size_t>(found - data);
        const std::size_t begin = lineStart_;
        scanned_ = lineStart_ = end + 1;
        if (scanned_ > limits_.bytes) return incomplete(data, size);
        if (end == begin || data[end - 1] != '\r') return fail(bareLf);
        if (const Status status = line(data, begin, end - 1); status != Status::NeedMore) return status;
    }
}

/// One whole line, without its end.
HeadParser::Status HeadParser::line(char* base, std::size_t begin, std::size_t end) {
    if (!lineDone_) {
        if (what_ == Of::Answer) {
            if (const Refusal refused = statusLine(base, begin, end)) return fail(refused);
            lineDone_ = true;
            return Status::NeedMore;
        }
        // RFC 9112 section 2.2: some clients send an empty line after the body before.
        if (begin == end) return ++emptyLines_ > emptyLinesAllowed ? fail(badLine) : Status::NeedMore;
        if (const Refusal refused = requestLine(base, begin, end)) return fail(refused);
        lineDone_ = true;
        return Status::NeedMore;
    }
    if (begin != end) {
        const Refusal refused = field(base, begin, end);
        return refused ? fail(refused) : Status::NeedMore;
    }
    const Refusal refused = finish();
    return refused ? fail(refused) : Status::Done;
}

/// No line end yet, or one beyond the limit: what is there may tell already that nothing good will come.
HeadParser::Status HeadParser::incomplete(const char* data, std::size_t size) {
    if (size > limits_.bytes || scanned_ > limits_.bytes)
        return fail(lineDone_ ? Refusal{431, "the header fields are larger than allowed here"}
                              : Refusal{414, "the first line is longer than allowed here"});
    // A CR with anything but LF behind it; the last byte may be one whose LF is to come.
    if (size > scanned_ && std::memchr(data + scanned_, '\r', size - scanned_ - 1)) return fail(bareCr);
    scanned_ = size > 0 && data[size - 1] == '\r' ? size - 1 : size;
    if (lineDone_ || size == lineStart_) return Status::NeedMore;

    const char* const start = data + lineStart_;
    if (what_ == Of::Answer) {
        constexpr std::string_view begin = "HTTP/1.";
        const std::size_t there = std::min(size - lineStart_, begin.size());
        return begin.substr(0, there) == std::string_view(start, there) ? Status::NeedMore : fail(badStatus);
    }
    if (*start == '\x16') return fail(tls);
    const std::string_view begun(start, std::min(size - lineStart_, longestMethod + 1));
    const std::string_view method = begun.substr(0, begun.find(' '));
    const bool onlyCr = method == "\r";
    if (!onlyCr && (method.size() > longestMethod || !chars::all(method, chars::token))) return fail(notHttp);
    return Status::NeedMore;
}

Refusal HeadParser::requestLine(char* base, std::size_t begin, std::size_t end) {
    const std::string_view text(base + begin, end - begin);
    if (text.front() == '\x16') return tls;
    if (text == "PRI * HTTP/2.0") return http2;
    const std::size_t first = text.find(' ');
    const std::size_t last = text.rfind(' ');
    if (first == std::string_view::npos) return notHttp;
    const std::string_view method = text.substr(0, first);
    if (method.size() > longestMethod || !chars::all(method, chars::token)) return notHttp;
    // One blank between the parts, no more: what else two readers would cut in different places.
    if (last <= first + 1 || text.substr(first + 1, last - first - 1).find(' ') != std::string_view::npos)
        return badLine;
    if (const Refusal refused = version(text.substr(last + 1))) return refused;

    method_ = spanOf(begin, first);
    isHead_ = method == "HEAD";
    isOptions_ = method == "OPTIONS";
    if (method == "CONNECT") return {501, "CONNECT is not implemented: this is no proxy"};
    if (const Refusal refused = readTarget(base, spanOf(begin + first + 1, last - first - 1), target_)) return refused;
    if (target_.asterisk && !isOptions_) return {400, "the target * is for OPTIONS only"};
    return {};
}

/// RFC 9112 section 4. The blank before a reason that is empty is left out by some servers.
Refusal HeadParser::statusLine(const char* base, std::size_t begin, std::size_t end) {
    const std::string_view text(base + begin, end - begin);
    constexpr std::size_t least = std::string_view("HTTP/1.1 200").size();
    if (text.size() < least || text[8] != ' ' || (text.size() > least && text[least] != ' ')) return badStatus;
    if (const Refusal refused = version(text.substr(0, 8))) return badStatus;
    const std::string_view code = text.substr(9, 3);
    if (!chars::all(code, chars::digit) || code[0] == '0') return badStatus;
    if (!chars::allValue(text.substr(least))) return {400, "the status line holds a control character"};
    statusCode_ = (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
    return {};
}

Refusal HeadParser::version(std::string_view text) {
    if (text == "HTTP/1.1") return {};
    if (text == "HTTP/1.0") {
        minor_ = 0;
        return {};
    }
    const bool wellFormed = text.size() == 8 && text.substr(0, 5) == "HTTP/" && chars::is(text[5], chars::digit) &&
                            text[6] == '.' && chars::is(text[7], chars::digit);
    return wellFormed ? Refusal{505, "only HTTP/1.1 and HTTP/1.0 are spoken here"} : badLine;
}

/// A field line that does not begin with a token and a colon: why.
Refusal HeadParser::badName(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return {400, "a header line has no colon"};
    if (colon > 0 && (line[colon - 1] == ' ' || line[colon - 1] == '\t'))
        return {400, "there is a blank before the colon of a header field"};
    return {400, "the name of a header field is empty or holds a character that is not allowed"};
}

Refusal HeadParser::field(const char* base, std::size_t begin, std::size_t end) {
    if (limits_.fields && fields_.size() == limits_.fields)
        return {431, "there are more header fields than allowed here"};
    const std::string_view text(base + begin, end - begin);
    if (text.front() == ' ' || text.front() == '\t') return {400, "a header field is folded over two lines"};
    std::size_t colon = 0;
    while (colon < text.size() && chars::is(text[colon], chars::token)) ++colon;
    const std::string_view name = text.substr(0, colon);
    if (colon == 0 || colon == text.size() || text[colon] != ':') return badName(text);
    const std::string_view value = trimmed(text.substr(colon + 1));
    if (!chars::allValue(value)) return {400, "the value of a header field holds a control character"};

    const Known known = knownName(name);
    const auto valueAt = value.empty() ? begin : static_cast<std::size_t>(value.data() - base);
    fields_.push_back({spanOf(begin, name.size()), spanOf(valueAt, value.size()), known});
    return known == Known::Other ? Refusal{} : note(known, value);
}

Refusal HeadParser::note(Known known, std::string_view value) {
    const bool again = has(known);
    seen_ |= 1u << static_cast<unsigned>(known);
    switch (known) {
        case Known::Host:
            if (what_ == Of::Answer) return {};
            if (again) return {400, "there are two Host fields"};
            if (!value.empty() && !isAuthority(value)) return {400, "the Host field is not a host name and port"};
            host_ = fields_.back().value;
            return {};
        case Known::ContentLength:
            if (again) return {400, "there are two Content-Length fields"};
            return contentLength(value);
        case Known::TransferEncoding:
            if (again) return {400, "there are two Transfer-Encoding fields"};
            return transferEncoding(value);
        case Known::ContentType:
            if (again) return {400, "there are two Content-Type fields"};
            contentType_ = fields_.back().value;
            return {};
        case Known::Connection:
            connection(value);
            return {};
        case Known::Expect:
            framing_.expect = sameText(value, "100-continue") && framing_.expect != Framing::Expect::Other
                                  ? Framing::Expect::Continue
                                  : Framing::Expect::Other;
            return {};
        default:
            return {};
    }
}

Refusal HeadParser::contentLength(std::string_view value) {
    constexpr Refusal bad{400, "the Content-Length field is not one number"};
    if (!chars::all(value, chars::digit)) return bad;
    std::uint64_t number = 0;
    for (const char c : value) {
        if (number > (UINT64_MAX - 9) / 10) return bad;
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    framing_.hasLength = true;
    framing_.length = number;
    return {};
}

Refusal HeadParser::transferEncoding(std::string_view value) {
    if (sameText(value, "chunked")) {
        framing_.chunked = true;
        return {};
    }
    // A coding we lack before a last "chunked" still has clear framing: 501 (RFC 9112 section 6.1). All else is
    // ambiguous.
    const std::size_t comma = value.rfind(',');
    if (comma != std::string_view::npos && sameText(trimmed(value.substr(comma + 1)), "chunked") &&
        !trimmed(value.substr(0, comma)).empty())
        return {501, "of the transfer codings only \"chunked\", by itself, is implemented"};
    return {400, "the Transfer-Encoding field is not \"chunked\""};
}

void HeadParser::connection(std::string_view value) {
    forEachElement(value, [&](std::string_view option) {
        close_ = close_ || sameText(option, "close");
        keep_ = keep_ || sameText(option, "keep-alive");
    });
}

Refusal HeadParser::finish() {
    if (has(Known::TransferEncoding)) {
        if (has(Known::ContentLength)) return {400, "there are both Content-Length and Transfer-Encoding"};
        if (minor_ == 0) return {400, "HTTP/1.0 has no Transfer-Encoding"};
    }
    if (what_ == Of::Request && minor_ == 1 && !has(Known::Host)) return {400, "the Host field is missing"};
    if (target_.authority.length) host_ = target_.authority;
    framing_.keepAlive = !close_ && (minor_ == 1 || keep_);
    // RFC 9110 section 10.1.1: of an HTTP/1.0 client the expectation is ignored.
    if (minor_ == 0) framing_.expect = Framing::Expect::Nothing;
    return {};
}

void HeadParser::fill(core::RequestHead& head, const char* base) const {
    head.method = method_.in(base);
    head.path = target_.path.in(base);
    head.query = target_.query.in(base);
    head.contentType = contentType_.in(base);
    head.host = host_.in(base);
    head.headers.clear();
    for (const Field& each : fields_) head.headers.add(each.name.in(base), each.value.in(base));
}

void HeadParser::fill(core::Headers& headers, const char* base) const {
    headers.clear();
    for (const Field& each : fields_) headers.add(each.name.in(base), each.value.in(base));
}

std::string_view HeadParser::last(Known which, const char* base) const {
    if (!has(which)) return {};
    for (auto each = fields_.rbegin(); each != fields_.rend(); ++each)
        if (each->known == which) return each->value.in(base);
    return {};
}

}  // namespace postbus::http
