#include <cstdio>
#include <string>

#include "base/version.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/exit_status.hpp"
#include "cli/help.hpp"
#include "cli/table.hpp"

using namespace postbus;

int main(int argc, char** argv) {
    const auto given = std::span<const char* const>(argv, argv + argc).subspan(1);
    const auto arguments = cli::parseArguments(given);
    if (!arguments) {
        std::fprintf(stderr, "postbus: %s (%s)\n", cli::printable(arguments.error().message()).c_str(),
                     cli::pointer(given).c_str());
        return cli::exitUsage;
    }
    if (arguments->help) {
        std::fputs(cli::usage(arguments->command).c_str(), stdout);
        return cli::exitDone;
    }
    if (arguments->version) {
        std::printf("postbus %s\n", std::string(version()).c_str());
        return cli::exitDone;
    }
    return cli::run(*arguments);
}
