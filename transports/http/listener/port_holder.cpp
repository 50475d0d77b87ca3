#include "transports/http/listener/port_holder.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

namespace postbus::http {
namespace {

namespace fs = std::filesystem;

/// The links of /proc/PID/fd that such sockets have: "socket:[12345]".
std::set<std::string> listeningOn(std::uint16_t port) {
    std::set<std::string> links;
    for (const char* table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
        std::ifstream lines(table);
        for (std::string line; std::getline(lines, line);) {
            unsigned local = 0, state = 0;
            unsigned long inode = 0;
            const int read =
                std::sscanf(line.c_str(), " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*s %*s %*s %*u %*u %lu", &local,
                            &state, &inode);
            constexpr unsigned listening = 0x0a;
            if (read == 3 && local == port && state == listening)
                links.insert("socket:[" + std::to_string(inode) + ']');
        }
    }
    return links;
}

bool holds(const fs::path& process, const std::set<std::string>& links) {
    std::error_code refused;
    for (const auto& each : fs::directory_iterator(process / "fd", refused)) {
        std::error_code gone;
        if (links.contains(fs::read_symlink(each.path(), gone).string())) return true;
    }
    return false;
}

bool isNumber(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string holderOf(std::uint16_t port) {
    const std::set<std::string> links = listeningOn(port);
    if (links.empty()) return "another program";
    if (holds("/proc/self", links)) return "another listener of this daemon";
    std::error_code failed;
    for (const auto& each : fs::directory_iterator("/proc", failed)) {
        const std::string pid = each.path().filename().string();
        if (!isNumber(pid) || !holds(each.path(), links)) continue;
        std::string name;
        std::ifstream comm(each.path() / "comm");
        std::getline(comm, name);
        return (name.empty() ? "a program" : name) + " (pid " + pid + ")";
    }
    return "another program";
}

}  // namespace postbus::http
