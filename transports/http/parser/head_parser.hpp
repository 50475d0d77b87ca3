#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/message/wire.hpp"
#include "transports/http/parser/refusal.hpp"
#include "transports/http/parser/target.hpp"

namespace postbus::http {

/// How the body of a request is delimited, and what else of its fields concerns the transport (RFC 9112 sections 6 and
/// 9, RFC 9110 section 10.1.1).
struct Framing {
    enum class Expect { Nothing, Continue, Other };

    bool chunked = false;
    bool hasLength = false;
    std::uint64_t length = 0;
    bool keepAlive = true;
    Expect expect = Expect::Nothing;
};

/// Reads the head of an HTTP/1.x message, a request's or an answer's, strictly, as it arrives.
///
/// parse() is given the buffer from the head's first byte each time; it goes on where it stopped, so a head that comes
/// byte by byte costs no more than one that comes whole. What it keeps are offsets: the buffer may move in between. The
/// path is decoded in place.
///
/// Refused is all that two readers could understand differently: bare LF or CR, folded lines, a blank before a colon,
/// names that are no tokens, control characters, Content-Length twice or beside Transfer-Encoding, any
/// Transfer-Encoding but "chunked", Host twice or (HTTP/1.1) not at all. Of an answer's refusal only the reason counts.
/// Owned by one thread; reused by reset(), which keeps its memory.
class HeadParser {
public:
    enum class Status { NeedMore, Done, Failed };
    enum class Of { Request, Answer };

    struct Limits {
        std::size_t bytes = 32 * 1024;  ///< request line and fields together: 414 or 431; 0 for none
        std::size_t fields = 100;       ///< 431; 0 for none
    };

    void reset(Limits limits, Of what = Of::Request);
    Status parse(char* data, std::size_t size);

    /// Whether a head has begun: more was seen than empty lines.
    bool begun() const { return lineDone_ || scanned_ > lineStart_; }

    // After Failed.
    const Refusal& refusal() const { return refusal_; }

    // After Done.
    std::size_t size() const { return lineStart_; }  ///< of the head, with its last empty line
    const Framing& framing() const { return framing_; }
    int minorVersion() const { return minor_; }
    bool asterisk() const { return target_.asterisk; }
    bool isHead() const { return isHead_; }
    bool isOptions() const { return isOptions_; }

    /// Of an answer: 100 to 999.
    int statusCode() const { return statusCode_; }

    /// Puts views into `base`, where the head lies now, into method, path, query, contentType, host and headers.
    void fill(core::RequestHead& head, const char* base) const;
    /// The fields alone, in order.
    void fill(core::Headers& headers, const char* base) const;
    std::string_view contentType(const char* base) const { return contentType_.in(base); }

    /// The value of a field that the transport has to look at, empty when absent. A list that came in several fields
    /// is visited in pieces.
    enum class Known : std::uint8_t {
        Other,
        Host,
        Connection,
        KeepAlive,
        ContentLength,
        ContentType,
        ContentEncoding,
        TransferEncoding,
        Expect,
        AcceptEncoding,
        ForwardedProto,
        ForwardedHost,
        ForwardedPort,
        ForwardedFor,
        Hops,
        TimeLeft
    };
    template <class Visit>
    void forEach(Known which, const char* base, Visit&& visit) const {
        if (!has(which)) return;
        for (const Field& each : fields_)
            if (each.known == which) visit(each.value.in(base));
    }
    bool has(Known which) const { return seen_ & (1u << static_cast<unsigned>(which)); }
    /// The last field of that name.
    std::string_view last(Known which, const char* base) const;

private:
    struct Field {
        Span name, value;
        Known known;
    };

    Status fail(Refusal refusal);
    Status line(char* base, std::size_t begin, std::size_t end);
    Status incomplete(const char* data, std::size_t size);
    Refusal requestLine(char* base, std::size_t begin, std::size_t end);
    Refusal statusLine(const char* base, std::size_t begin, std::size_t end);
    Refusal version(std::string_view text);
    static Refusal badName(std::string_view line);
    Refusal field(const char* base, std::size_t begin, std::size_t end);
    Refusal note(Known known, std::string_view value);
    Refusal contentLength(std::string_view value);
    Refusal transferEncoding(std::string_view value);
    void connection(std::string_view value);
    Refusal finish();

    Limits limits_;
    Of what_ = Of::Request;
    int statusCode_ = 0;
    std::size_t scanned_ = 0, lineStart_ = 0;
    std::uint8_t emptyLines_ = 0;
    bool lineDone_ = false, close_ = false, keep_ = false;
    bool isHead_ = false, isOptions_ = false;
    std::uint8_t minor_ = 1;
    std::uint32_t seen_ = 0;  // bit per Known
    Span method_, host_, contentType_;
    Target target_;
    std::vector<Field> fields_;
    Framing framing_;
    Refusal refusal_;
};

}  // namespace postbus::http
