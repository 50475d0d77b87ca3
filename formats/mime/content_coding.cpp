#include "formats/mime/content_coding.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "formats/mime/media_type.hpp"

namespace postbus::mime {
namespace {

constexpr int window = 15, gzipWrap = 16;
constexpr std::size_t largestInput = std::numeric_limits<uInt>::max() / 2;
constexpr std::size_t smallestStep = 4096;

Error outOfMemory() { return {Error::Kind::Unavailable, "not enough memory for the content coding"}; }
Error tooLarge(std::size_t limit) {
    return {Error::Kind::TooLarge, "the body unpacks to more than the limit of " + std::to_string(limit) + " bytes"};
}

Bytef* input(std::string_view bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); }

/// A z_stream for unpacking that is used again and again.
class Inflater {
public:
    Inflater() = default;
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() {
        if (open_) inflateEnd(&stream_);
    }

    bool start(int windowBits, std::string_view bytes) {
        const int done = open_ ? inflateReset2(&stream_, windowBits) : inflateInit2(&stream_, windowBits);
        if (done != Z_OK) return false;
        open_ = true;
        stream_.next_in = input(bytes);
        stream_.avail_in = static_cast<uInt>(bytes.size());
        return true;
    }
    /// The next member, from where the one before ended.
    void startNext() { inflateReset(&stream_); }

    /// Unpacks up to `size` bytes; sets `made` to how many.
    int step(char* to, std::size_t size, std::size_t& made) {
        const std::size_t room = std::min(size, largestInput);
        stream_.next_out = reinterpret_cast<Bytef*>(to);
        stream_.avail_out = static_cast<uInt>(room);
        const int done = ::inflate(&stream_, Z_NO_FLUSH);
        made = room - stream_.avail_out;
        return done;
    }
    std::size_t left() const { return stream_.avail_in; }
    const char* why() const { return stream_.msg ? stream_.msg : "not in the format"; }

private:
    z_stream stream_{};
    bool open_ = false;
};

/// The format that the name deflate stands for: the header of zlib can't begin a bare stream as encoders make them.
bool hasZlibHeader(std::string_view bytes) {
    if (bytes.size() < 2) return false;
    const unsigned first = static_cast<unsigned char>(bytes[0]), second = static_cast<unsigned char>(bytes[1]);
    return (first & 0x0F) == Z_DEFLATED && (first >> 4) <= 7 && (first * 256 + second) % 31 == 0;
}

int windowBitsFor(std::string_view bytes, Coding coding) {
    if (coding == Coding::Gzip) return window + gzipWrap;
    return hasZlibHeader(bytes) ? window : -window;
}

Result<void> unpack(Inflater& inflater, Coding coding, std::size_t expected, std::size_t limit, Buffer& out) {
    const std::size_t before = out.size();
    while (true) {
        // One byte more than allowed tells a body at the limit from one beyond it.
        const std::size_t allowed = limit - (out.size() - before) + (limit == SIZE_MAX ? 0 : 1);
        const std::size_t step = std::min(allowed, std::max({out.writable(), smallestStep, expected}));
        std::size_t made = 0;
        const int done = inflater.step(out.prepare(step), step, made);
        out.commit(made);
        if (out.size() - before > limit) return tooLarge(limit);
        if (done == Z_STREAM_END && inflater.left() == 0) return ok();
        if (done == Z_STREAM_END && coding == Coding::Gzip) {
            inflater.startNext();
        } else if (done == Z_STREAM_END) {
            return Error::invalid("the packed body is followed by other bytes");
        } else if (done == Z_MEM_ERROR) {
            return outOfMemory();
        } else if (done == Z_BUF_ERROR || (done == Z_OK && inflater.left() == 0 && made < step)) {
            return Error::invalid("the packed body is cut off");
        } else if (done != Z_OK) {
            return Error::invalid(std::string("the packed body can't be unpacked: ") + inflater.why());
        }
    }
}

/// A z_stream for packing in one coding.
class Deflater {
public:
    explicit Deflater(Coding coding) : windowBits_(coding == Coding::Gzip ? window + gzipWrap : window) {}
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;
    ~Deflater() {
        if (open_) deflateEnd(&stream_);
    }

    bool pack(std::string_view bytes, Buffer& out) {
        if (!start()) return false;
        const std::size_t bound = deflateBound(&stream_, bytes.size());
        stream_.next_in = input(bytes);
        stream_.avail_in = static_cast<uInt>(bytes.size());
        stream_.next_out = reinterpret_cast<Bytef*>(out.prepare(bound));
        stream_.avail_out = static_cast<uInt>(bound);
        if (::deflate(&stream_, Z_FINISH) != Z_STREAM_END) return false;
        out.commit(bound - stream_.avail_out);
        return true;
    }

private:
    bool start() {
        constexpr int level = 4, memory = 8;  // 4 is the fastest with lazy matching: nearly the size of 6
        if (open_) return deflateReset(&stream_) == Z_OK;
        open_ = deflateInit2(&stream_, level, Z_DEFLATED, windowBits_, memory, Z_DEFAULT_STRATEGY) == Z_OK;
        return open_;
    }

    int windowBits_;
    z_stream stream_{};
    bool open_ = false;
};

}  // namespace

std::optional<Coding> codingNamed(std::string_view name) {
    if (sameIgnoringCase(name, "gzip") || sameIgnoringCase(name, "x-gzip")) return Coding::Gzip;
    if (sameIgnoringCase(name, "deflate")) return Coding::Deflate;
    return std::nullopt;
}

Result<void> inflate(std::string_view bytes, Coding coding, std::size_t limit, Buffer& out) {
    thread_local Inflater inflater;
    if (bytes.size() > largestInput) return tooLarge(limit);
    if (!inflater.start(windowBitsFor(bytes, coding), bytes)) return outOfMemory();
    const std::size_t before = out.size();
    auto done = unpack(inflater, coding, 3 * bytes.size(), limit, out);
    if (!done) out.truncate(before);
    return done;
}

Result<void> deflate(std::string_view bytes, Coding coding, Buffer& out) {
    thread_local Deflater gzip(Coding::Gzip), zlib(Coding::Deflate);
    if (bytes.size() > largestInput) return Error(Error::Kind::TooLarge, "the answer is too large to be packed");
    Deflater& deflater = coding == Coding::Gzip ? gzip : zlib;
    if (!deflater.pack(bytes, out)) return outOfMemory();
    return ok();
}

}  // namespace postbus::mime
