#pragma once

#include <cstddef>
#include <cstdint>

#include "transports/http/parser/refusal.hpp"

namespace postbus::http {

/// Takes the chunked coding off a body (RFC 9112 section 7.1), in place and as it arrives.
///
/// Extensions and trailer fields are checked for form, limited in size and dropped. Owned by one thread.
class ChunkedDecoder {
public:
    enum class Status { NeedMore, Done, Failed };

    struct Limits {
        std::uint64_t body = 0;         ///< decoded bytes: 413; 0 for none
        std::uint32_t extension = 256;  ///< bytes of one chunk's extensions: 400
        std::uint32_t trailer = 8192;   ///< bytes of all trailer fields together: 431
    };

    /// How far one call came: the first `consumed` bytes of the input have become the first `produced`.
    struct Progress {
        Status status;
        std::size_t consumed, produced;
    };

    void reset(Limits limits);
    /// Decodes what there is of `data`, moving the content to its front. NeedMore has consumed all of it; Done stops
    /// behind the body's last byte.
    Progress decode(char* data, std::size_t size);

    const Refusal& refusal() const { return refusal_; }

private:
    enum class State : std::uint8_t {
        SizeFirst,
        Size,
        Extension,
        SizeLf,
        Data,
        DataCr,
        DataLf,
        TrailerFirst,
        TrailerName,
        TrailerValue,
        TrailerLf,
        LastLf
    };

    bool fail(int status, std::string_view reason);
    bool step(char c);
    bool sizeDigit(char c);
    bool afterSize(char c);
    bool extension(char c);
    bool trailer(char c);

    Limits limits_;
    State state_ = State::SizeFirst;
    std::uint8_t digits_ = 0;
    bool done_ = false;
    bool quoted_ = false, escaped_ = false;  // inside of an extension
    std::uint64_t left_ = 0;                 // of the chunk
    std::uint64_t total_ = 0;                // of the body
    std::uint32_t spent_ = 0;                // on extensions of this chunk, or on trailers
    Refusal refusal_;
};

}  // namespace postbus::http
