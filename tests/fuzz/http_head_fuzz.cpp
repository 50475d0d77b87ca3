// The head of a request: whatever comes in, the parser gives one verdict wherever the bytes are cut and wherever the
// buffer lies, and what it lets through is unambiguous. The first two bytes choose the limits and the cut.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "transports/http/message/accept_encoding.hpp"
#include "transports/http/message/forwarded.hpp"
#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"
#include "transports/http/parser/head_parser.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

using Status = HeadParser::Status;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// A run over the bytes, in pieces of `step`, each time in memory of its exact size: a read beyond it is found.
struct Run {
    HeadParser parser;
    Status status = Status::NeedMore;
    std::string data;
    core::RequestHead head;

    Run(std::string_view bytes, std::size_t step, HeadParser::Limits limits) : data(bytes) {
        parser.reset(limits);
        for (std::size_t size = 0; status == Status::NeedMore && size < bytes.size();) {
            size = std::min(size + step, bytes.size());
            const std::unique_ptr<char[]> exact(new char[size]);
            std::copy_n(data.data(), size, exact.get());
            status = parser.parse(exact.get(), size);
            std::copy_n(exact.get(), size, data.data());
        }
        if (status == Status::Done) parser.fill(head, data.data());
    }
};

void requireOneMeaning(const Run& run, std::string_view bytes) {
    const std::size_t size = run.parser.size();
    require(size <= bytes.size() && bytes.substr(size - 4, 4) == "\r\n\r\n", "the head does not end where it should");
    const std::string_view original = bytes.substr(0, size);
    for (std::size_t i = 0; i < size; ++i) {
        if (original[i] == '\n') require(i > 0 && original[i - 1] == '\r', "a bare LF was let through");
        if (original[i] == '\r') require(original[i + 1] == '\n', "a bare CR was let through");
    }
    require(chars::all(run.head.method, chars::token), "the method is no token");
    require(run.head.host.empty() || isAuthority(run.head.host), "the host is none");
    if (!run.parser.asterisk()) {
        require(!run.head.path.empty() && run.head.path.front() == '/', "the path has no slash in front");
        const std::string path = std::string(run.head.path) + '/';
        require(path.find("/../") == std::string::npos && path.find("/./") == std::string::npos, "a dot segment");
        for (const char c : path) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "a control in the path");
    }
    std::size_t lengths = 0, codings = 0, hosts = 0;
    for (const auto& [name, value] : run.head.headers) {
        require(chars::all(name, chars::token), "a name is no token");
        require(value.empty() || chars::all(value, chars::value), "a value holds a control character");
        require(value == trimmed(value), "a value has blanks at its ends");
        lengths += sameText(name, "Content-Length");
        codings += sameText(name, "Transfer-Encoding");
        hosts += sameText(name, "Host");
    }
    require(lengths + codings <= 1 && hosts <= 1, "two ways to read it");
    require(run.parser.framing().hasLength == (lengths == 1), "the length is lost");
    require(run.parser.framing().chunked == (codings == 1), "the transfer coding is lost");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const HeadParser::Limits limits{data[0] & 1 ? std::size_t{64} : 0, data[0] & 2 ? std::size_t{4} : 0};
    const std::size_t step = 1 + data[1];
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);

    const Run whole(bytes, SIZE_MAX / 2, limits), pieces(bytes, step, limits);
    // Pieces may be refused earlier, and for the first thing that is wrong: but refused, or not, they are.
    require(whole.status == pieces.status, "cutting changes the verdict");
    if (whole.status == Status::Failed) {
        const int status = whole.parser.refusal().status;
        require(status >= 400 && status < 600 && !whole.parser.refusal().reason.empty(), "a refusal without reason");
    }
    if (whole.status != Status::Done) return 0;

    require(whole.data == pieces.data && whole.parser.size() == pieces.parser.size(), "cutting changes the head");
    requireOneMeaning(whole, bytes);
    AcceptedCodings accepted;
    whole.parser.forEach(HeadParser::Known::AcceptEncoding, whole.data.data(), [&](auto list) { accepted.add(list); });
    (void)accepted.gzip();
    std::array<char, forwardedHostRoom> room;
    core::RequestHead head = whole.head;
    applyForwarded(whole.parser, whole.data.data(), {*net::Network::parse("10.0.0.0/8")}, room, head);
    require(head.host.empty() || isAuthority(head.host), "a forwarded host is none");
    require(head.peer.empty() || net::parseIp(head.peer), "a forwarded address is none");
    return 0;
}
