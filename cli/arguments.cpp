#include "cli/arguments.hpp"

#include <algorithm>

#include "cli/call/call_arguments.hpp"
#include "cli/plugin_command.hpp"
#include "cli/queue_command.hpp"

namespace postbus::cli {

const std::string_view usage =
    R"(usage: postbus [--admin WHERE] [--json] COMMAND

  check FILE [--set PATH=VALUE]...   checks a configuration; needs no daemon
  status                             version, state, listeners, figures, memory
  endpoints                          what is served, where, and its WSDL
  plugins                            what is loaded or refused, and why
  plugin deploy FILE [--as NAME.so]  puts a plugin file to service, in place of the version that serves; says when it
                                     serves, or why it was refused
  plugin undeploy NAME               takes it out of the deploy folder
  plugin rollback NAME               puts the version to service that served before
  plugin disable NAME, plugin enable NAME
  plugin changes [NAME]              what became of the plugins of late
  exchanges                          calls that are under way
  reload                             has the daemon read its configuration again
  call ENDPOINT|WSDL [OPERATION] [KEY=VALUE]...
                                     calls an operation and prints the answer; without one lists them. WSDL is a URL
                                     or a file. KEY is a path: lines.sku=A, lines[1].sku=B, order.@id=7; VALUE may be
                                     @FILE or @- (docs/calling.md)
        [--list | --template | --xml FILE|-] [--url URL] [--port NAME] [--soap 1.1|1.2] [--soap-header FILE]
        [--header 'NAME: VALUE']... [--user NAME:PASSWORD] [--timeout 30s] [--verbose]
  queue list                         the queues and what is in them
  queue send NAME [FILE]             a message with what FILE, or standard input, holds; prints its id
        [--soap] [--soap-action A] [--content-type T] [--reply-to Q] [--correlation-id C] [--id I] [--priority 0-9]
        [--property NAME=TEXT | NAME:=VALUE]... [--time-to-live 5s] [--delay 5s] [--group G] [--type T]
        [--non-persistent]
  queue receive NAME                 takes a message off and prints its body; 1 when there is none
        [--count N | --raw | --output FILE] [--wait 5s] [--selector S]
  queue browse NAME                  what is there, and why it is in a dead letter queue
        [--bodies] [--limit N] [--after NUMBER] [--selector S]
        --number NUMBER [--raw | --output FILE]
                                     one of them. --raw: the body as it is, byte for byte, and nothing else
  queue purge NAME, queue move NAME TO, queue retry DLQ.NAME
        [--number NUMBER]... [--selector S] [--limit N]
  queue pause NAME [--in | --out]    queue resume NAME
  queue remove NAME                  with all that is in it: a queue, or a subscription of a topic
  queue reopen                       opens the store again after it has failed

  --admin WHERE   http://HOST:PORT or unix:PATH. Without it: $POSTBUS_ADMIN, then admin.sock in $RUNTIME_DIRECTORY,
                  $STATE_DIRECTORY, ./postbus-state, /run/postbus, then http://127.0.0.1:8182.
                  Over TCP the token comes from $POSTBUS_TOKEN, else from admin.token in the state folder.
  --json          JSON instead of text for people
  --help, --version

Exit status: 0 done, 1 refused, failed or answered with a fault, 2 wrong usage, 3 daemon or service not reached,
4 invalid configuration or WSDL.
)";

namespace {

struct Command {
    std::string_view name;
    std::size_t operands;
};
constexpr Command commands[] = {{"check", 1},   {"status", 0},    {"endpoints", 0},
                                {"plugins", 0}, {"exchanges", 0}, {"reload", 0}};
constexpr std::string_view queueCommand = "queue", callCommand = "call",
                           pluginCommand = "plugin";  // have options of their own

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

Result<void> check(const Arguments& arguments) {
    if (arguments.help || arguments.version) return ok();
    if (arguments.command.empty()) return Error::invalid("which command?");
    if (!arguments.set.empty() && arguments.command != "check") return Error::invalid("--set belongs to check");
    if (arguments.command == queueCommand) return checkQueueCommand(arguments);
    if (arguments.command == pluginCommand) return checkPluginCommand(arguments);
    if (arguments.command == callCommand) {
        auto call = readCallArguments(arguments);
        return call ? ok() : Result<void>(std::move(call).error());
    }
    if (!arguments.options.empty()) return Error::invalid("unknown option " + arguments.options.front().first);
    const auto known = std::find_if(std::begin(commands), std::end(commands),
                                    [&](const Command& each) { return each.name == arguments.command; });
    if (known == std::end(commands)) return Error::invalid("unknown command " + arguments.command);
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
            return Error::invalid("unknown option " + std::string(argument));
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
