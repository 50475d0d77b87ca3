#include <cstdio>
#include <span>
#include <string>

#include "base/version.hpp"
#include "server/daemon/daemon.hpp"
#include "server/daemon/exit_status.hpp"
#include "server/daemon/memory.hpp"
#include "server/daemon/options.hpp"

using namespace postbus;

int main(int argc, char** argv) {
    const auto options = server::parseOptions(std::span<const char* const>(argv, argv + argc).subspan(1));
    if (!options) {
        std::fprintf(stderr, "postbusd: %s\n%s", options.error().message().c_str(), std::string(server::usage).c_str());
        return server::exitUsage;
    }
    if (options->help) {
        std::fputs(std::string(server::usage).c_str(), stdout);
        return server::exitDone;
    }
    if (options->version) {
        std::printf("postbusd %s\n", std::string(version()).c_str());
        return server::exitDone;
    }
    server::returnLargeMemory();
    return options->check ? server::checkConfiguration(*options) : server::runDaemon(*options);
}
