#include "cli/plugin_command.hpp"

#include <Poco/JSON/Array.h>
#include <Poco/URI.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <vector>

#include "cli/admin_client.hpp"
#include "cli/exit_status.hpp"
#include "cli/help.hpp"
#include "cli/plugin_flags.hpp"
#include "cli/refusal.hpp"
#include "cli/streams.hpp"
#include "cli/table.hpp"

namespace postbus::cli {
namespace {

using Poco::JSON::Object;

std::string text(const Object& object, const std::string& name) {
    return object.isNull(name) ? std::string() : printable(object.getValue<std::string>(name));
}

std::string called(const Object& answer) {
    std::string all = text(answer, "name");
    if (const std::string version = text(answer, "version"); !version.empty()) (all += ' ') += version;
    return all;
}

/// What serves now, or that nothing does.
std::string showDone(const Object& answer) {
    const std::string former = text(answer, "former");
    const std::string was = former.empty() || answer.optValue("unchanged", false) ? "" : ", where " + former + " was";
    if (text(answer, "state") != "active")
        return called(answer) + " is " + (text(answer, "state") == "unloaded" ? "gone" : text(answer, "state")) +
               (former.empty() ? "" : "; " + former + " served until now") + '\n';
    return called(answer) + (answer.optValue("unchanged", false) ? " serves already" : " serves") +
           (answer.optValue("bundled", false) ? ", the bundled one" : "") + was + " (" + text(answer, "file") + ")\n";
}

std::string timeOf(std::int64_t timestamp) {
    const std::time_t seconds = timestamp / 1000;
    std::tm parts{};
    char when[40];
    gmtime_r(&seconds, &parts);
    const std::size_t length = std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(when + length, sizeof when - length, ".%03dZ", static_cast<int>(timestamp % 1000));
    return when;
}

std::string showChanges(const Object& answer) {
    Table table({"TIME", "PLUGIN", "VERSION", "STATE", "FILE", "REASON"});
    const auto changes = answer.getArray("changes");
    for (unsigned i = 0; i < changes->size(); ++i) {
        const Object& each = *changes->getObject(i);
        table.add({timeOf(each.getValue<std::int64_t>("timestamp")), text(each, "name"), text(each, "version"),
                   text(each, "state"), text(each, "file"), text(each, "reason")});
    }
    return changes->size() ? table.text() : "nothing has changed\n";
}

struct Verb {
    std::string_view name, operand;
    bool needed;
    const char* method;
    std::string (*show)(const Object&);
};
constexpr Verb verbs[] = {
    {"deploy", "a plugin file", true, "POST", showDone},
    {"undeploy", "a plugin", true, "POST", showDone},
    {"rollback", "a plugin", true, "POST", showDone},
    {"enable", "a plugin", true, "POST", showDone},
    {"disable", "a plugin", true, "POST", showDone},
    {"changes", "", false, "GET", showChanges},
    {"flags", "", false, "", nullptr},
};

const Verb* find(std::string_view name) {
    const auto at =
        std::find_if(std::begin(verbs), std::end(verbs), [&](const Verb& each) { return each.name == name; });
    return at == std::end(verbs) ? nullptr : at;
}

}  // namespace

std::span<const std::string_view> pluginOptions() {
    static constexpr std::string_view all[] = {"--as"};
    return all;
}

OptionKind pluginOption(std::string_view name) { return name == "--as" ? OptionKind::Value : OptionKind::None; }

Result<void> checkPluginCommand(const Arguments& arguments) {
    if (arguments.operands.empty())
        return Error::invalid("plugin needs one of deploy, undeploy, rollback, enable, disable, changes, flags");
    const std::string& name = arguments.operands[0];
    const Verb* verb = find(name);
    if (!verb) {
        std::vector<std::string_view> names;
        for (const Verb& each : verbs) names.push_back(each.name);
        return unknown("command plugin", name, names);
    }
    if (verb->needed && arguments.operands.size() < 2)
        return Error::invalid("plugin " + name + " needs " + std::string(verb->operand));
    if (name == "flags" && arguments.operands.size() > 1)
        return Error::invalid("plugin flags does not take " + arguments.operands[1]);
    if (arguments.operands.size() > 2)
        return Error::invalid("plugin " + name + " does not take " + arguments.operands[2]);
    if (!arguments.options.empty() && name != "deploy")
        return Error::invalid("plugin " + name + " does not take " + arguments.options.front().first);
    return ok();
}

namespace {

int printFlags() {
    const auto flags = pluginFlags();
    if (flags)
        print(stdout, *flags + '\n');
    else
        print(stderr, "postbus: " + flags.error().message() + '\n');
    return flags ? exitDone : exitFailed;
}

}  // namespace

int runPluginCommand(const Arguments& arguments) {
    if (arguments.operands[0] == "flags") return printFlags();
    const Verb& verb = *find(arguments.operands[0]);
    std::string name = arguments.operands.size() > 1 ? arguments.operands[1] : "";
    AdminClient::Body body;
    if (verb.name == "deploy") {
        auto content = contentOf(name);
        if (!content) {
            print(stderr, "postbus: cannot read " + name + '\n');
            return exitFailed;
        }
        body = {std::move(*content), "application/octet-stream"};
        name = arguments.options.empty() ? std::filesystem::path(name).filename().string()
                                         : arguments.options.back().second;
    }
    std::string path = "/plugins/" + std::string(verb.name);
    if (!name.empty()) {
        path += "?name=";
        Poco::URI::encode(name, "!#$&'()*+,/:;=?@[]", path);
    }
    auto client = AdminClient::connect(arguments.admin);
    const AdminClient::Answer answer = client.ask(verb.method, path, body);
    return tell(arguments, answer, parsed(answer.body), verb.show) ? exitDone : exitFailed;
}

}  // namespace postbus::cli
