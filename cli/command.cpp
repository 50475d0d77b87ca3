#include "cli/command.hpp"

#include <Poco/Exception.h>

#include <cstdio>

#include "cli/admin_client.hpp"
#include "cli/call/call_command.hpp"
#include "cli/exit_status.hpp"
#include "cli/plugin_command.hpp"
#include "cli/queue_command.hpp"
#include "cli/refusal.hpp"
#include "cli/show.hpp"
#include "cli/streams.hpp"
#include "cli/table.hpp"
#include "config/problems.hpp"
#include "formats/json/writer.hpp"
#include "server/config/load.hpp"

namespace postbus::cli {
namespace {

struct Question {
    std::string_view command;
    const char* method;
    const char* path;
    std::string (*show)(const Poco::JSON::Object& answer);
};
constexpr Question questions[] = {
    {"status", "GET", "/status", showStatus},    {"endpoints", "GET", "/endpoints", showEndpoints},
    {"plugins", "GET", "/plugins", showPlugins}, {"exchanges", "GET", "/exchanges", showExchanges},
    {"reload", "POST", "/reload", showReload},
};

int checkFile(const Arguments& arguments) {
    const std::string& file = arguments.operands.front();
    std::vector<std::string> problems;
    try {
        server::loadDaemonConfig(file, arguments.set);
    } catch (const config::ConfigError& error) {
        problems = error.problems();
    }
    if (arguments.json) {
        Buffer out;
        json::Writer json(out);
        json.object([&] {
            json.member("file", file);
            json.member("valid", problems.empty());
            json.array("problems", [&] {
                for (const std::string& each : problems) json.value(each);
            });
        });
        out.append('\n');
        print(stdout, out.view());
    } else if (problems.empty()) {
        print(stdout, file + ": the configuration is valid\n");
    } else {
        for (const std::string& each : problems) print(stderr, printable(each) + '\n');
    }
    return problems.empty() ? exitDone : exitInvalid;
}

int ask(const Arguments& arguments, const Question& question) {
    auto client = AdminClient::connect(arguments.admin);
    const AdminClient::Answer answer = client.ask(question.method, question.path);
    const Poco::JSON::Object::Ptr object = parsed(answer.body);
    const bool done = answer.status == 200 && object;
    const bool told = done || (answer.status == 422 && object);  // a reload that was refused has its own text
    if (arguments.json)
        print(stdout, answer.body);
    else if (told)
        print(done ? stdout : stderr, question.show(*object));
    else
        print(stderr, refusal(answer, object));
    if (done) return exitDone;
    return told && object->optValue("invalid", false) ? exitInvalid : exitFailed;
}

}  // namespace

int run(const Arguments& arguments) {
    try {
        if (arguments.command == "check") return checkFile(arguments);
        if (arguments.command == "plugin") return runPluginCommand(arguments);
        if (arguments.command == "queue") return runQueueCommand(arguments);
        if (arguments.command == "call") return runCallCommand(arguments);
        for (const Question& each : questions)
            if (each.command == arguments.command) return ask(arguments, each);
    } catch (const Unreachable& error) {
        print(stderr, std::string("postbus: ") + error.what() + '\n');
        return exitUnreachable;
    } catch (const Poco::Exception& error) {
        // An answer of another shape: another program, or another version.
        print(stderr, "postbus: the answer is not understood: " + error.displayText() + '\n');
        return exitFailed;
    }
    return exitUsage;
}

}  // namespace postbus::cli
