// Any bytes are a configuration or a ConfigError: nothing else, and soon. A line that begins with "#set " is applied as
// a --set.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/read.hpp"
#include "server/config/daemon_config.hpp"

namespace {

void applySets(std::string_view text, postbus::config::Document& document) {
    constexpr std::string_view mark = "#set ";
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (line.substr(0, mark.size()) == mark) document.set(line.substr(mark.size()));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        auto document = postbus::config::Document::parse(text, "fuzz.yaml");
        applySets(text, document);
        const auto config = postbus::config::read<postbus::server::DaemonConfig>(document);
        for (const auto& [name, endpoint] : config.endpoints)
            if (endpoint.service().empty()) std::abort();
    } catch (const postbus::config::ConfigError& error) {
        // A message is whole lines that a terminal can show.
        if (error.problems().empty()) std::abort();
        for (const std::string& problem : error.problems())
            for (const char c : problem)
                if (static_cast<unsigned char>(c) < 0x20) std::abort();
    }
    return 0;
}
