#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"
#include "transports/http/parser/head_parser.hpp"

namespace postbus::http::fuzz {

using Status = HeadParser::Status;

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// A run over the bytes, in pieces of `step`, each time in memory of its exact size: a read beyond it is found.
struct Run {
    HeadParser parser;
    Status status = Status::NeedMore;
    std::string data;
    core::RequestHead head;  // of a request
    core::Headers headers;

    Run(std::string_view bytes, std::size_t step, HeadParser::Limits limits, HeadParser::Of of) : data(bytes) {
        parser.reset(limits, of);
        for (std::size_t size = 0; status == Status::NeedMore && size < bytes.size();) {
            size = std::min(size + step, bytes.size());
            const std::unique_ptr<char[]> exact(new char[size]);
            std::copy_n(data.data(), size, exact.get());
            status = parser.parse(exact.get(), size);
            std::copy_n(exact.get(), size, data.data());
        }
        if (status != Status::Done) return;
        if (of == HeadParser::Of::Request) parser.fill(head, data.data());
        parser.fill(headers, data.data());
    }
};

/// Both runs come to the same, and to one whose end and fields nobody could read otherwise. Whether there is a head.
inline bool requireOneMeaning(const Run& whole, const Run& pieces, std::string_view bytes) {
    // Pieces may be refused earlier, and for the first thing that is wrong: but refused, or not, they are.
    require(whole.status == pieces.status, "cutting changes the verdict");
    if (whole.status == Status::Failed) require(!whole.parser.refusal().reason.empty(), "a refusal without reason");
    if (whole.status != Status::Done) return false;
    require(whole.data == pieces.data && whole.parser.size() == pieces.parser.size(), "cutting changes the head");
    const std::size_t size = whole.parser.size();
    require(size <= bytes.size() && bytes.substr(size - 4, 4) == "\r\n\r\n", "the head does not end where it should");
    const std::string_view original = bytes.substr(0, size);
    for (std::size_t i = 0; i < size; ++i) {
        if (original[i] == '\n') require(i > 0 && original[i - 1] == '\r', "a bare LF was let through");
        if (original[i] == '\r') require(original[i + 1] == '\n', "a bare CR was let through");
    }
    std::size_t lengths = 0, codings = 0;
    for (const auto& [name, value] : whole.headers) {
        require(chars::all(name, chars::token), "a name is no token");
        require(value.empty() || chars::all(value, chars::value), "a value holds a control character");
        require(value == trimmed(value), "a value has blanks at its ends");
        lengths += sameText(name, "Content-Length");
        codings += sameText(name, "Transfer-Encoding");
    }
    require(lengths + codings <= 1, "two ways to read it");
    require(whole.parser.framing().hasLength == (lengths == 1), "the length is lost");
    require(whole.parser.framing().chunked == (codings == 1), "the transfer coding is lost");
    return true;
}

}  // namespace postbus::http::fuzz
