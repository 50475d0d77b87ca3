// The head of a request: whatever comes in, the parser gives one verdict wherever the bytes are cut and wherever the
// buffer lies, and what it lets through is unambiguous. The first two bytes choose the limits and the cut.
#include <array>
#include <cstdint>

#include "tests/fuzz/head_run.hpp"
#include "transports/http/message/accept_encoding.hpp"
#include "transports/http/message/forwarded.hpp"

using namespace postbus;
using namespace postbus::http;
using namespace postbus::http::fuzz;

namespace {

void requireGoodTarget(const Run& run) {
    require(chars::all(run.head.method, chars::token), "the method is no token");
    require(run.head.host.empty() || isAuthority(run.head.host), "the host is none");
    std::size_t hosts = 0;
    for (const auto& each : run.headers) hosts += sameText(each.name, "Host");
    require(hosts <= 1, "two hosts");
    if (run.parser.asterisk()) return;
    require(!run.head.path.empty() && run.head.path.front() == '/', "the path has no slash in front");
    const std::string path = std::string(run.head.path) + '/';
    require(path.find("/../") == std::string::npos && path.find("/./") == std::string::npos, "a dot segment");
    for (const char c : path) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "a control in the path");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const HeadParser::Limits limits{data[0] & 1 ? std::size_t{64} : 0, data[0] & 2 ? std::size_t{4} : 0};
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);

    constexpr HeadParser::Of of = HeadParser::Of::Request;
    const Run whole(bytes, SIZE_MAX / 2, limits, of), pieces(bytes, 1 + std::size_t{data[1]}, limits, of);
    const bool head = requireOneMeaning(whole, pieces, bytes);
    if (whole.status == Status::Failed) {
        const int status = whole.parser.refusal().status;
        require(status >= 400 && status < 600, "a refusal with the status of an answer");
    }
    if (!head) return 0;
    requireGoodTarget(whole);
    AcceptedCodings accepted;
    whole.parser.forEach(HeadParser::Known::AcceptEncoding, whole.data.data(), [&](auto list) { accepted.add(list); });
    (void)accepted.gzip();
    std::array<char, forwardedHostRoom> room;
    core::RequestHead forwarded = whole.head;
    applyForwarded(whole.parser, whole.data.data(), {*net::Network::parse("10.0.0.0/8")}, room, forwarded);
    require(forwarded.host.empty() || isAuthority(forwarded.host), "a forwarded host is none");
    require(forwarded.peer.empty() || net::parseIp(forwarded.peer), "a forwarded address is none");
    return 0;
}
