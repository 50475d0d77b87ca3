// The head of a backend's answer, as http_head does it for requests; and what goes on of its fields. The first two
// bytes choose the limits and the cut.
#include <cstdint>

#include "tests/fuzz/head_run.hpp"
#include "transports/http/client/call_head.hpp"

using namespace postbus;
using namespace postbus::http;
using namespace postbus::http::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const HeadParser::Limits limits{data[0] & 1 ? std::size_t{64} : 0, data[0] & 2 ? std::size_t{4} : 0};
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);

    constexpr HeadParser::Of of = HeadParser::Of::Answer;
    const Run whole(bytes, SIZE_MAX / 2, limits, of), pieces(bytes, 1 + std::size_t{data[1]}, limits, of);
    if (!requireOneMeaning(whole, pieces, bytes)) return 0;
    require(whole.parser.statusCode() >= 100 && whole.parser.statusCode() <= 999, "the status is none");
    ConnectionOptions options;
    options.read(whole.headers);
    Buffer out;
    CallHead head(out);
    for (const auto& each : whole.headers)
        if (!concernsOneHop(each.name) && !options.contain(each.name)) head.field(each.name, each.value);
    std::size_t lines = 0;
    for (const char c : out.view()) lines += c == '\n';
    require(lines <= whole.headers.size(), "a field breaks out of its line");
    return 0;
}
