#include "cli/help.hpp"

#include <algorithm>
#include <array>

#include "cli/arguments.hpp"
#include "config/suggest.hpp"

namespace postbus::cli {
namespace {

struct Section {
    std::string_view command, text;
};
constexpr std::string_view head = "usage: postbus [--admin WHERE] [--json] COMMAND\n\n";
constexpr Section sections[] = {
    {"check", R"(  check FILE [--set PATH=VALUE]...   checks a configuration; needs no daemon
)"},
    {"status", R"(  status                             version, state, listeners, figures, memory
)"},
    {"endpoints", R"(  endpoints                          what is served, where, and its WSDL
)"},
    {"plugins", R"(  plugins                            what is loaded or refused, and why
)"},
    {"plugin",
     R"(  plugin deploy FILE [--as NAME.so]  puts a plugin file to service, in place of the version that serves; says when it
                                     serves, or why it was refused
  plugin undeploy NAME               takes it out of the deploy folder
  plugin rollback NAME               puts the version to service that served before
  plugin disable NAME, plugin enable NAME
  plugin changes [NAME]              what became of the plugins of late
  plugin flags                       what a compiler needs: g++ $(postbus plugin flags) hello.cpp -o hello.so
)"},
    {"exchanges", R"(  exchanges                          calls that are under way
)"},
    {"reload", R"(  reload                             has the daemon read its configuration again
)"},
    {"call", R"(  call ENDPOINT|WSDL [OPERATION] [KEY=VALUE]...
                                     calls an operation and prints the answer; without one lists them. WSDL is a URL
                                     or a file. KEY is a path: lines.sku=A, lines[1].sku=B, order.@id=7; VALUE may be
                                     @FILE or @- (docs/calling.md)
        [--list | --template | --xml FILE|-] [--url URL] [--port NAME] [--soap 1.1|1.2] [--soap-header FILE]
        [--header 'NAME: VALUE']... [--user NAME:PASSWORD] [--timeout 30s] [--verbose]
)"},
    {"queue", R"(  queue list                         the queues and what is in them
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
)"},
    {"help", R"(  help [COMMAND]                     this page, or what it says of one command
)"},
};
constexpr std::string_view tail = R"(
  --admin WHERE   http://HOST:PORT or unix:PATH. Without it: $POSTBUS_ADMIN, then admin.sock in $RUNTIME_DIRECTORY,
                  $STATE_DIRECTORY, ./postbus-state, /run/postbus, then http://127.0.0.1:8182.
                  Over TCP the token comes from $POSTBUS_TOKEN, else from admin.token in the state folder.
  --json          JSON instead of text for people
  --help, --version

Exit status: 0 done, 1 refused, failed or answered with a fault, 2 wrong usage, 3 daemon or service not reached,
4 invalid configuration or WSDL.
)";

bool hasSection(std::string_view command) {
    return std::any_of(std::begin(sections), std::end(sections),
                       [&](const Section& each) { return each.command == command; });
}

}  // namespace

std::string usage(std::string_view command) {
    const bool all = !hasSection(command);
    std::string text(head);
    for (const Section& each : sections)
        if (all || each.command == command) text += each.text;
    return text += tail;
}

std::string pointer(std::span<const char* const> arguments) {
    for (const std::string_view each : arguments)
        if (each != "help" && hasSection(each)) return "see postbus help " + std::string(each);
    return "see postbus help";
}

Error unknown(std::string_view what, std::string_view word, std::span<const std::string_view> known) {
    std::string text = "unknown " + std::string(what) + ' ' + std::string(word);
    if (const auto meant = config::nearest(word, known); !meant.empty())
        text += ", did you mean " + std::string(meant) + '?';
    return Error::invalid(std::move(text));
}

Error unknownCommand(std::string_view word) {
    std::array<std::string_view, std::size(sections)> names;
    std::transform(std::begin(sections), std::end(sections), names.begin(),
                   [](const Section& each) { return each.command; });
    return unknown("command", word, names);
}

}  // namespace postbus::cli
