#include "cli/call/path.hpp"

#include <charconv>

namespace postbus::cli {
namespace {

constexpr std::size_t mostSteps = 100;
constexpr std::uint32_t largestIndex = 99'999;

Error bad(std::string_view path, const std::string& why) {
    return Error::invalid("'" + std::string(path) + "': " + why);
}

/// Reads "[12]" at `at`.
Result<std::uint32_t> indexAt(std::string_view path, std::size_t& at) {
    const std::size_t close = std::min(path.find(']', at), path.size());
    std::uint32_t index = 0;
    const char* const end = path.data() + close;
    const auto [stop, error] = std::from_chars(path.data() + at + 1, end, index);
    const bool good = close < path.size() && error == std::errc() && stop == end && index <= largestIndex;
    if (!good) return bad(path, "what stands in [ ] is a number, from 0");
    at = close + 1;
    return index;
}

Result<Step> stepAt(std::string_view path, std::size_t& at) {
    Step step;
    if (at < path.size() && path[at] == '@') {
        step.attribute = true;
        ++at;
    }
    for (; at < path.size() && path[at] != '.' && path[at] != '['; ++at) {
        if (path[at] == '\\' && at + 1 < path.size()) ++at;
        step.name += path[at];
    }
    if (step.name.empty()) return bad(path, "a name is missing");
    if (at < path.size() && path[at] == '[') {
        auto index = indexAt(path, at);
        if (!index) return std::move(index).error();
        step.index = *index;
    }
    const bool goesOn = at < path.size();
    if (goesOn && path[at] != '.') return bad(path, "after ] comes a dot or nothing");
    if (step.attribute && (goesOn || step.index)) return bad(path, "an attribute is one value, and comes last");
    return step;
}

}  // namespace

Result<std::vector<Step>> parsePath(std::string_view path) {
    std::vector<Step> steps;
    for (std::size_t at = 0;; ++at) {
        auto step = stepAt(path, at);
        if (!step) return std::move(step).error();
        steps.push_back(*std::move(step));
        if (steps.size() > mostSteps) return bad(path, "more than " + std::to_string(mostSteps) + " steps");
        if (at == path.size()) return steps;
    }
}

}  // namespace postbus::cli
