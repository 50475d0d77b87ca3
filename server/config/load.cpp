#include "server/config/load.hpp"

#include "config/read.hpp"

namespace postbus::server {

DaemonConfig loadDaemonConfig(const std::optional<std::string>& file, std::span<const std::string> sets) {
    auto document = file ? config::Document::load(*file) : config::Document::parse({}, "built-in defaults");
    for (const std::string& each : sets) document.set(each);
    return config::read<DaemonConfig>(document);
}

}  // namespace postbus::server
