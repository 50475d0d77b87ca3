#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/buffer.hpp"
#include "base/result.hpp"

namespace postbus::mime {

/// Content codings of RFC 9110 section 8.4.1 that pack bytes.
enum class Coding { Gzip, Deflate };

/// By its name in a header field, in any case; x-gzip is gzip. None for others, identity among them.
std::optional<Coding> codingNamed(std::string_view name);

/// Unpacks all of `bytes` behind what `out` holds, at most `limit` bytes.
///
/// Takes gzip of several members, and for deflate the zlib format as well as the bare one, since senders differ about
/// what the name means. What is cut off, followed by other bytes or has a wrong checksum is Error::Kind::Invalid; over
/// the limit it is TooLarge, and no more than the limit was unpacked. After an error `out` is as it was.
///
/// Any thread; each keeps its state, some 40 KiB from the first use on, and allocates nothing afterwards.
Result<void> inflate(std::string_view bytes, Coding coding, std::size_t limit, Buffer& out);

/// Packs `bytes` behind what `out` holds, whose headroom stays. Fast rather than small.
///
/// Any thread; each keeps its state, some 270 KiB a coding from the first use on. Fails only for want of that memory.
Result<void> deflate(std::string_view bytes, Coding coding, Buffer& out);

}  // namespace postbus::mime
