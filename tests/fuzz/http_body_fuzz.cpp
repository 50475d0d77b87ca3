// The chunked coding: decoded as it arrives, in pieces, it gives what a plain reading of RFC 9112 section 7.1 gives.
// The first byte chooses the size of the pieces.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "transports/http/parser/characters.hpp"
#include "transports/http/parser/chunked_decoder.hpp"

using namespace postbus::http;

namespace {

constexpr ChunkedDecoder::Limits limits{4096, 64, 128};

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

struct Body {
    std::string content;
    std::size_t consumed = 0;
};

/// A line up to CR LF, which is taken off `text`. A quoted string holds no line end.
std::optional<std::string_view> takeLine(std::string_view& text) {
    const std::size_t end = text.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 2);
    return line;
}

bool extensionHolds(std::string_view text) {
    if (text.empty()) return true;
    if (text.size() - 1 > limits.extension || text.front() != ';') return false;
    bool quoted = false;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (!chars::is(text[i], chars::value)) return false;
        if (quoted && text[i] == '\\' && i + 1 < text.size())
            ++i;
        else if (text[i] == '"')
            quoted = !quoted;
        if (!chars::is(text[i], chars::value)) return false;
    }
    return !quoted;
}

/// The whole body, or nothing when there is no whole and right one.
std::optional<Body> reference(const std::string_view all) {
    std::string_view text = all;
    Body body;
    for (;;) {
        const auto line = takeLine(text);
        if (!line) return std::nullopt;
        std::size_t digits = 0;
        while (digits < line->size() && chars::is((*line)[digits], chars::hex)) ++digits;
        if (digits == 0 || digits > 15 || !extensionHolds(line->substr(digits))) return std::nullopt;
        const auto size = std::stoull(std::string(line->substr(0, digits)), nullptr, 16);
        if (size == 0) break;
        if (size > limits.body - body.content.size() || text.size() < size + 2 || text.substr(size, 2) != "\r\n")
            return std::nullopt;
        body.content += text.substr(0, size);
        text.remove_prefix(size + 2);
    }
    const std::size_t before = text.size();
    for (;;) {
        const auto line = takeLine(text);
        if (!line) return std::nullopt;
        if (line->empty()) break;
        const std::size_t colon = line->find(':');
        if (colon == std::string_view::npos || !chars::all(line->substr(0, colon), chars::token)) return std::nullopt;
        const std::string_view value = line->substr(colon + 1);
        if (!value.empty() && !chars::all(value, chars::value)) return std::nullopt;
    }
    // The last CR counts as the others do.
    if (before - text.size() - 1 > limits.trailer) return std::nullopt;
    body.consumed = all.size() - text.size();
    return body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t step = 1 + data[0];
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);

    ChunkedDecoder decoder;
    decoder.reset(limits);
    Body body;
    auto status = ChunkedDecoder::Status::NeedMore;
    while (status == ChunkedDecoder::Status::NeedMore && body.consumed < bytes.size()) {
        const std::size_t piece = std::min(step, bytes.size() - body.consumed);
        const std::unique_ptr<char[]> exact(new char[piece]);
        std::copy_n(bytes.data() + body.consumed, piece, exact.get());
        const auto progress = decoder.decode(exact.get(), piece);
        require(progress.produced <= progress.consumed && progress.consumed <= piece, "more than there was");
        body.content.append(exact.get(), progress.produced);
        body.consumed += progress.consumed;
        status = progress.status;
    }
    require(body.content.size() <= limits.body, "more than the limit");
    if (status == ChunkedDecoder::Status::Failed) require(decoder.refusal().status >= 400, "a refusal without status");

    const auto expected = reference(bytes);
    require(expected.has_value() == (status == ChunkedDecoder::Status::Done), "another verdict than the reference");
    if (!expected) return 0;
    require(expected->content == body.content, "another body than the reference");
    require(expected->consumed == body.consumed, "another end than the reference");
    return 0;
}
