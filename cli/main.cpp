#include <cstdio>
#include <string>

#include "base/version.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/exit_status.hpp"

using namespace postbus;

int main(int argc, char** argv) {
    const auto arguments = cli::parseArguments(std::span<const char* const>(argv, argv + argc).subspan(1));
    if (!arguments) {
        std::fprintf(stderr, "postbus: %s\n%s", arguments.error().message().c_str(), std::string(cli::usage).c_str());
        return cli::exitUsage;
    }
    if (arguments->help) {
        std::fputs(std::string(cli::usage).c_str(), stdout);
        return cli::exitDone;
    }
    if (arguments->version) {
        std::printf("postbus %s\n", std::string(version()).c_str());
        return cli::exitDone;
    }
    return cli::run(*arguments);
}
