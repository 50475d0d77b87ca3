// Makes docs/reference/configuration.md and postbus.schema.json from the fields() of the daemon's configuration.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "server/config/daemon_config.hpp"
#include "tools/config_reference/page.hpp"
#include "tools/config_reference/schema.hpp"

namespace {

std::string contentOf(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

bool settle(const std::filesystem::path& file, const std::string& wanted, bool check) {
    if (contentOf(file) == wanted) return true;
    if (check) {
        std::fprintf(stderr, "%s is not up to date; run build/dev/bin/config_reference %s\n", file.c_str(),
                     file.parent_path().c_str());
        return false;
    }
    std::ofstream(file, std::ios::binary) << wanted;
    std::printf("%s\n", file.c_str());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const bool check = argc == 3 && std::string_view(argv[1]) == "--check";
    if (argc != 2 && !check) {
        std::fprintf(stderr, "usage: config_reference [--check] FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder = argv[argc - 1];
    const auto whole = postbus::config::describe<postbus::server::DaemonConfig>();
    const bool page = settle(folder / "configuration.md", postbus::reference::renderPage(whole), check);
    const bool schema = settle(folder / "postbus.schema.json", postbus::reference::renderSchema(whole), check);
    return page && schema ? 0 : 1;
}
