#include "cli/arguments.hpp"

#include <algorithm>

#include "cli/call/call_arguments.hpp"
#include "cli/help.hpp"
#include "cli/plugin_command.hpp"
#include "cli/queue_command.hpp"

namespace postbus::cli {

namespace {

struct Command {
    std::string_view name;
    std::size_t operands;
};
constexpr Command commands[] = {{"check", 1},   {"status", 0},    {"endpoints", 0},
                                {"plugins", 0}, {"exchanges", 0}, {"reload", 0}};
// Those with options of their own, and the one that needs no daemon.
constexpr std::string_view queueCommand = "queue", callCommand = "call", pluginCommand = "plugin", helpCommand = "help";

const Command* find(std::string_view name) {
    const auto at =
        std::find_if(std::begin(commands), std::end(commands), [&](const Command& each) { return each.name == name; });
    return at == std::end(commands) ? nullptr : at;
}

bool isCommand(std::string_view name) {
    return find(name) || name == queueCommand || name == callCommand || name == pluginCommand || name == helpCommand;
}

/// Takes `--name VALUE` and `--name=VALUE`; false when `argument` is another one.
Result<bool> takeValue(std::string_view name, std::span<const char* const> arguments, std::size_t& at,
                       std::string& value) {
    const std::string_view argument = arguments[at];
    if (argument == name) {
        if (at + 1 == arguments.size()) return Error::invalid(std::string(name) + " needs a value");
        value = arguments[++at];
        return true;
    }
    if (argument.size() > name.size() && argument.substr(0, name.size()) == name && argument[name.size()] == '=') {
        value = argument.substr(name.size() + 1);
        return true;
    }
    return false;
}

/// Options of `queue`, `plugin` and `call`; those of the latter stand behind it, since they share names.
Result<bool> takeCommandOption(std::span<const char* const> arguments, std::size_t& at, Arguments& parsed) {
    const std::string_view argument = arguments[at];
    const std::string_view name = argument.substr(0, argument.find('='));
    const OptionKind kind = parsed.command == callCommand     ? callOption(name)
                            : parsed.command == pluginCommand ? pluginOption(name)
                                                              : queueOption(name);
    switch (kind) {
        case OptionKind::None:
            return false;
        case OptionKind::Flag:
            if (name.size() != argument.size()) return Error::invalid(std::string(name) + " takes no value");
            parsed.options.emplace_back(name, "");
            return true;
        case OptionKind::Value:
            break;
    }
    std::string value;
    if (auto taken = takeValue(name, arguments, at, value); !taken) return taken;
    parsed.options.emplace_back(name, std::move(value));
    return true;
}

/// With what the command has in its place, if there is something like it.
Error unknownOption(std::string_view option, std::string_view command) {
    std::vector<std::string_view> known{"--admin", "--json", "--help", "--version"};
    const auto own = command == callCommand     ? callOptions()
                     : command == pluginCommand ? pluginOptions()
                     : command == queueCommand  ? queueOptions()
                                                : std::span<const std::string_view>();
    known.insert(known.end(), own.begin(), own.end());
    if (command == "check") known.emplace_back("--set");
    return unknown("option", option.substr(0, option.find('=')), known);
}

/// `help COMMAND` is `COMMAND --help`.
Result<void> checkHelp(Arguments& arguments) {
    if (arguments.command == helpCommand) {
        if (arguments.operands.size() > 1) return Error::invalid("help is for one command");
        arguments.help = true;
        arguments.command = arguments.operands.empty() ? std::string() : arguments.operands.front();
        arguments.operands.clear();
    }
    if (!arguments.help || arguments.command.empty() || isCommand(arguments.command)) return ok();
    return unknownCommand(arguments.command);
}

Result<void> check(Arguments& arguments) {
    if (auto good = checkHelp(arguments); !good) return good;
    if (arguments.help || arguments.version) return ok();
    if (arguments.command.empty()) return Error::invalid("which command?");
    if (!arguments.set.empty() && arguments.command != "check") return Error::invalid("--set belongs to check");
    if (arguments.command == queueCommand) return checkQueueCommand(arguments);
    if (arguments.command == pluginCommand) return checkPluginCommand(arguments);
    if (arguments.command == callCommand) {
        auto call = readCallArguments(arguments);
        return call ? ok() : Result<void>(std::move(call).error());
    }
    const Command* known = find(arguments.command);
    if (!known) return unknownCommand(arguments.command);
    if (!arguments.options.empty()) return unknownOption(arguments.options.front().first, arguments.command);
    if (arguments.operands.size() < known->operands) return Error::invalid(arguments.command + " needs a file");
    if (arguments.operands.size() > known->operands)
        return Error::invalid(arguments.command + " does not take " + arguments.operands[known->operands]);
    return ok();
}

}  // namespace

Result<Arguments> parseArguments(std::span<const char* const> arguments) {
    Arguments parsed;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        std::string value;
        auto admin = takeValue("--admin", arguments, i, value);
        if (!admin) return std::move(admin).error();
        if (*admin) {
            if (value.empty()) return Error::invalid("--admin needs http://HOST:PORT or unix:PATH");
            parsed.admin = std::move(value);
            continue;
        }
        auto set = takeValue("--set", arguments, i, value);
        if (!set) return std::move(set).error();
        auto option = *set ? Result<bool>(false) : takeCommandOption(arguments, i, parsed);
        if (!option) return std::move(option).error();
        if (*option) continue;
        if (*set) {
            parsed.set.push_back(std::move(value));
        } else if (argument == "--json") {
            parsed.json = true;
        } else if (argument == "--help" || argument == "-h") {
            parsed.help = true;
        } else if (argument == "--version") {
            parsed.version = true;
        } else if (argument.size() > 1 && argument.front() == '-') {
            return parsed.command.empty() || isCommand(parsed.command) ? unknownOption(argument, parsed.command)
                                                                       : unknownCommand(parsed.command);
        } else if (parsed.command.empty()) {
            parsed.command = argument;
        } else {
            parsed.operands.emplace_back(argument);
        }
    }
    if (auto fits = check(parsed); !fits) return std::move(fits).error();
    return parsed;
}

}  // namespace postbus::cli
