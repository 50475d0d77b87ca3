#include "transports/http/parser/chunked_decoder.hpp"

#include <algorithm>
#include <cstring>

#include "transports/http/parser/characters.hpp"

namespace postbus::http {

void ChunkedDecoder::reset(Limits limits) {
    *this = ChunkedDecoder();
    limits_ = limits;
}

ChunkedDecoder::Progress ChunkedDecoder::decode(char* data, std::size_t size) {
    std::size_t in = 0, out = 0;
    while (in < size) {
        if (state_ == State::Data) {
            const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(left_, size - in));
            if (in != out) std::memmove(data + out, data + in, take);
            in += take;
            out += take;
            left_ -= take;
            if (left_ == 0) state_ = State::DataCr;
            continue;
        }
        if (!step(data[in++])) return {Status::Failed, in, out};
        if (done_) return {Status::Done, in, out};
    }
    return {Status::NeedMore, in, out};
}

bool ChunkedDecoder::fail(int status, std::string_view reason) {
    refusal_ = {status, reason};
    return false;
}

/// One byte that is not content.
bool ChunkedDecoder::step(char c) {
    switch (state_) {
        case State::SizeFirst:
            if (!chars::is(c, chars::hex)) return fail(400, "a chunk does not begin with its size in hexadecimal");
            state_ = State::Size;
            return sizeDigit(c);
        case State::Size:
            return chars::is(c, chars::hex) ? sizeDigit(c) : afterSize(c);
        case State::Extension:
            return extension(c);
        case State::SizeLf:
            if (c != '\n') return fail(400, "the line of a chunk's size does not end with CR LF");
            state_ = left_ ? State::Data : State::TrailerFirst;
            spent_ = 0;
            return true;
        case State::DataCr:
        case State::DataLf:
            if (c != (state_ == State::DataCr ? '\r' : '\n'))
                return fail(400, "a chunk's data is not followed by CR LF: its size is wrong");
            state_ = state_ == State::DataCr ? State::DataLf : State::SizeFirst;
            digits_ = 0;
            return true;
        case State::LastLf:
            if (c != '\n') return fail(400, "the chunked body does not end with CR LF");
            done_ = true;
            return true;
        default:
            return trailer(c);
    }
}

/// Only its end matters, but of that there must be no two opinions: not inside of a quoted string.
bool ChunkedDecoder::extension(char c) {
    if (c == '\r' && !quoted_) {
        state_ = State::SizeLf;
        return true;
    }
    if (!chars::is(c, chars::value)) return fail(400, "a chunk extension holds a control character or an open quote");
    if (++spent_ > limits_.extension) return fail(400, "a chunk extension is too long");
    if (escaped_) {
        escaped_ = false;
    } else if (c == '"') {
        quoted_ = !quoted_;
    } else {
        escaped_ = quoted_ && c == '\\';
    }
    return true;
}

bool ChunkedDecoder::sizeDigit(char c) {
    // 15 digits are under 2^60: no sum below overflows.
    if (++digits_ > 15) return fail(400, "a chunk's size has too many digits");
    left_ = left_ << 4 | chars::hexValue(c);
    return true;
}

bool ChunkedDecoder::afterSize(char c) {
    if (c != '\r' && c != ';') return fail(400, "a chunk's size is followed by something other than CR LF or ';'");
    if (limits_.body && left_ > limits_.body - total_)
        return fail(413, "the body is larger than limits.body allows here");
    total_ += left_;
    spent_ = 0;
    state_ = c == ';' ? State::Extension : State::SizeLf;
    return true;
}

bool ChunkedDecoder::trailer(char c) {
    if (++spent_ > limits_.trailer) return fail(431, "the trailer fields are larger than allowed here");
    switch (state_) {
        case State::TrailerFirst:
            if (c == '\r') {
                state_ = State::LastLf;
                return true;
            }
            [[fallthrough]];
        case State::TrailerName:
            if (c == ':' && state_ == State::TrailerName) {
                state_ = State::TrailerValue;
                return true;
            }
            if (!chars::is(c, chars::token)) return fail(400, "a trailer field's name is not valid");
            state_ = State::TrailerName;
            return true;
        case State::TrailerValue:
            if (c == '\r') {
                state_ = State::TrailerLf;
                return true;
            }
            if (!chars::is(c, chars::value)) return fail(400, "a trailer field's value holds a control character");
            return true;
        default:
            if (c != '\n') return fail(400, "a trailer field does not end with CR LF");
            state_ = State::TrailerFirst;
            return true;
    }
}

}  // namespace postbus::http
