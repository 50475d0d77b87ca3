#include "server/daemon/options.hpp"

namespace postbus::server {

const std::string_view usage =
    R"(usage: postbusd [--config FILE] [--set PATH=VALUE]... [--check]

  --config FILE     the configuration, YAML; without it the built-in defaults hold
  --set PATH=VALUE  puts VALUE (YAML) at PATH before the configuration is checked, e.g.
                    --set 'transports.http.listen=["127.0.0.1:0"]'; a name that has dots in it is quoted,
                    lists are replaced whole
  --check           checks the configuration and ends
  --version         prints the version and ends
  --help            prints this and ends

SIGTERM and SIGINT answer what was accepted, then end; a second one ends at once. SIGHUP reads the file again.
Exit status: 0 done, 1 failed, 2 wrong usage, 4 invalid configuration.
)";

namespace {

/// The value of an option, from --name=VALUE or from the next argument.
Result<std::string> valueOf(std::string_view name, std::string_view argument, std::span<const char* const> arguments,
                            std::size_t& at) {
    if (argument.size() > name.size()) return std::string(argument.substr(name.size() + 1));
    if (at + 1 == arguments.size()) return Error::invalid(std::string(name) + " needs a value");
    return std::string(arguments[++at]);
}

bool is(std::string_view argument, std::string_view name) {
    return argument.substr(0, name.size()) == name && (argument.size() == name.size() || argument[name.size()] == '=');
}

}  // namespace

Result<Options> parseOptions(std::span<const char* const> arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (is(argument, "--config")) {
            auto value = valueOf("--config", argument, arguments, i);
            if (!value) return std::move(value).error();
            if (value->empty()) return Error::invalid("--config needs the name of a file");
            if (!options.config.empty()) return Error::invalid("--config was given twice");
            options.config = std::move(*value);
        } else if (is(argument, "--set")) {
            auto value = valueOf("--set", argument, arguments, i);
            if (!value) return std::move(value).error();
            options.set.push_back(std::move(*value));
        } else if (argument == "--check") {
            options.check = true;
        } else if (argument == "--help" || argument == "-h") {
            options.help = true;
        } else if (argument == "--version") {
            options.version = true;
        } else {
            return Error::invalid("unknown argument " + std::string(argument));
        }
    }
    return options;
}

}  // namespace postbus::server
