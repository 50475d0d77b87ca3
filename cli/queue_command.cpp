#include "cli/queue_command.hpp"

#include <Poco/JSON/Object.h>
#include <Poco/URI.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "cli/admin_client.hpp"
#include "cli/body_file.hpp"
#include "cli/exit_status.hpp"
#include "cli/help.hpp"
#include "cli/queue_show.hpp"
#include "cli/refusal.hpp"
#include "cli/streams.hpp"
#include "config/quantities.hpp"

namespace postbus::cli {
namespace {

struct Verb {
    std::string_view name, operands;
    std::size_t least, most;
    const char* method;
    std::string_view options;  ///< those it takes, each between blanks
    std::string (*show)(const Poco::JSON::Object& answer);
};
constexpr std::string_view choice = " --number --selector --limit ";
constexpr Verb verbs[] = {
    {"list", "", 0, 0, "GET", "", showQueues},
    {"send", "a queue, and perhaps a file", 1, 2, "POST",
     " --content-type --correlation-id --delay --group --id --non-persistent --priority --property --reply-to --soap "
     "--soap-action --time-to-live --type ",
     showSent},
    {"receive", "a queue", 1, 1, "POST", " --count --output --raw --selector --wait ", showReceived},
    {"browse", "a queue", 1, 1, "GET", " --after --bodies --limit --number --output --raw --selector ", showBrowsed},
    {"purge", "a queue", 1, 1, "POST", choice, showCount},
    {"move", "two queues", 2, 2, "POST", choice, showCount},
    {"retry", "a dead letter queue", 1, 1, "POST", choice, showCount},
    {"pause", "a queue", 1, 1, "POST", " --in --out ", showNothing},
    {"resume", "a queue", 1, 1, "POST", "", showNothing},
    {"remove", "a queue", 1, 1, "POST", "", showNothing},
    {"reopen", "", 0, 0, "POST", "", showNothing},
};
constexpr std::string_view durations[] = {"--delay", "--time-to-live", "--wait"};
constexpr std::string_view flags[] = {"--bodies", "--in", "--non-persistent", "--out", "--raw", "--soap"};

const Verb* find(std::string_view name) {
    const auto at =
        std::find_if(std::begin(verbs), std::end(verbs), [&](const Verb& each) { return each.name == name; });
    return at == std::end(verbs) ? nullptr : at;
}

bool takes(const Verb& verb, std::string_view option) {
    return verb.options.find(' ' + std::string(option) + ' ') != std::string_view::npos;
}

std::string given(const Arguments& arguments, std::string_view option, std::string otherwise = {}) {
    for (const auto& [name, value] : arguments.options)
        if (name == option) return value;
    return otherwise;
}
bool has(const Arguments& arguments, std::string_view option) {
    return std::any_of(arguments.options.begin(), arguments.options.end(),
                       [&](const auto& each) { return each.first == option; });
}

/// The bytes of one message, and nothing else.
bool wantsBody(const Arguments& arguments) { return has(arguments, "--raw") || has(arguments, "--output"); }

void addTo(std::string& query, std::string_view name, const std::string& value) {
    query += query.empty() ? '?' : '&';
    query += name;
    query += '=';
    Poco::URI::encode(value, "!#$&'()*+,/:;=?@[]", query);
}

std::string contentTypeOf(const Arguments& arguments) {
    return given(arguments, "--content-type", "text/xml; charset=utf-8");
}

/// What SOAP over JMS wants of a request.
void addSoapProperties(std::string& query, const Arguments& arguments, const std::string& queue) {
    std::string destination;
    Poco::URI::encode(queue, "!#$&'()*+,/:;=?@[]", destination);
    addTo(query, "property", "SOAPJMS_requestURI=jms:queue:" + destination);
    addTo(query, "property", "SOAPJMS_bindingVersion=1.0");
    addTo(query, "property", "SOAPJMS_contentType=" + contentTypeOf(arguments));
    if (has(arguments, "--soap-action"))
        addTo(query, "property", "SOAPJMS_soapAction=" + given(arguments, "--soap-action"));
}

std::string queryOf(const Arguments& arguments, const std::vector<std::string>& operands) {
    std::string query;
    if (!operands.empty()) addTo(query, "queue", operands[0]);
    if (arguments.operands[0] == "move") addTo(query, "to", operands[1]);
    if (has(arguments, "--in") != has(arguments, "--out"))
        addTo(query, "direction", has(arguments, "--in") ? "in" : "out");
    if (has(arguments, "--soap") || has(arguments, "--soap-action")) addSoapProperties(query, arguments, operands[0]);
    if (wantsBody(arguments)) addTo(query, "body", "raw");
    for (const auto& [name, value] : arguments.options) {
        const bool elsewhere = name == "--content-type" || name == "--soap" || name == "--soap-action" ||
                               name == "--in" || name == "--out" || name == "--raw" || name == "--output";
        if (elsewhere) continue;
        if (name == "--non-persistent")
            addTo(query, "persistent", "false");
        else
            addTo(query, std::string_view(name).substr(2), name == "--bodies" ? "true" : value);
    }
    return query;
}

/// The file is open before a message is taken: there is nowhere to put it otherwise.
int fetchBody(const Arguments& arguments, const Verb& verb, const std::string& path) {
    const std::string name = given(arguments, "--output");
    BodyFile file(name);
    if (!file.isOpen()) {
        print(stderr, "postbus: cannot write " + name + '\n');
        return exitFailed;
    }
    auto client = AdminClient::connect(arguments.admin);
    const auto answer = client.fetch(verb.method, path, [&](std::string_view piece) { return file.write(piece); });
    if (answer.status == 204) return exitFailed;  // there is none
    if (answer.status != 200) {
        print(stderr, refusal(answer, parsed(answer.body)));
        return exitFailed;
    }
    if (file.finish()) return exitDone;
    print(stderr, "postbus: the body could not be written to its end\n");
    return exitFailed;
}

/// A body alone is that of one message.
Result<void> checkBodyOptions(const Arguments& arguments) {
    if (arguments.json) return Error::invalid("--raw and --output give the body alone, and not --json");
    if (has(arguments, "--output") && given(arguments, "--output").empty())
        return Error::invalid("--output needs a file");
    for (const std::string_view each : {"--count", "--after", "--bodies", "--limit"})
        if (has(arguments, each))
            return Error::invalid("--raw and --output are for one message, and not for " + std::string(each));
    if (arguments.operands[0] == "browse" && !has(arguments, "--number"))
        return Error::invalid("queue browse --raw needs --number, as browsing shows it");
    return ok();
}

}  // namespace

std::span<const std::string_view> queueOptions() {
    static const std::vector<std::string_view> all = [] {
        std::vector<std::string_view> names;
        for (const Verb& each : verbs)
            for (std::string_view left = each.options; left.size() > 1;) {
                const std::string_view name = left.substr(1, left.find(' ', 1) - 1);
                if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
                left.remove_prefix(name.size() + 1);
            }
        return names;
    }();
    return all;
}

OptionKind queueOption(std::string_view name) {
    if (std::find(std::begin(flags), std::end(flags), name) != std::end(flags)) return OptionKind::Flag;
    return std::any_of(std::begin(verbs), std::end(verbs), [&](const Verb& each) { return takes(each, name); })
               ? OptionKind::Value
               : OptionKind::None;
}

Result<void> checkQueueCommand(const Arguments& arguments) {
    if (arguments.operands.empty())
        return Error::invalid(
            "queue needs one of list, send, receive, browse, purge, move, retry, pause, resume, remove, reopen");
    const std::string& name = arguments.operands[0];
    const Verb* verb = find(name);
    if (!verb) {
        std::vector<std::string_view> names;
        for (const Verb& each : verbs) names.push_back(each.name);
        return unknown("command queue", name, names);
    }
    const std::size_t count = arguments.operands.size() - 1;
    if (count < verb->least) return Error::invalid("queue " + name + " needs " + std::string(verb->operands));
    if (count > verb->most) {
        std::string refusal = "queue " + name;
        refusal += " does not take ";
        return Error::invalid(refusal += arguments.operands[verb->most + 1]);
    }
    for (const auto& [option, value] : arguments.options) {
        if (!takes(*verb, option))
            return Error::invalid(std::string("queue ").append(name).append(" does not take ").append(option));
        if (std::find(std::begin(durations), std::end(durations), option) == std::end(durations)) continue;
        if (auto read = config::durationOf(value); !read) return std::move(read).error().in(option);
    }
    return wantsBody(arguments) ? checkBodyOptions(arguments) : ok();
}

int runQueueCommand(const Arguments& arguments) {
    const Verb& verb = *find(arguments.operands[0]);
    const std::vector<std::string> operands(arguments.operands.begin() + 1, arguments.operands.end());
    AdminClient::Body body;
    if (verb.name == "send") {
        const std::string file = operands.size() > 1 ? operands[1] : "-";
        auto content = contentOf(file);
        if (!content) {
            print(stderr, "postbus: cannot read " + file + '\n');
            return exitFailed;
        }
        body = {std::move(*content), contentTypeOf(arguments)};
    }
    const std::string path =
        (verb.name == "list" ? "/queues" : "/queues/" + std::string(verb.name)) + queryOf(arguments, operands);
    if (wantsBody(arguments)) return fetchBody(arguments, verb, path);
    auto client = AdminClient::connect(arguments.admin);
    const AdminClient::Answer answer = client.ask(verb.method, path, body);
    const Poco::JSON::Object::Ptr object = parsed(answer.body);
    if (!tell(arguments, answer, object, verb.show)) return exitFailed;
    if (!arguments.json && object->optValue("more", false))
        print(stderr, "postbus: there is more than one answer holds\n");
    // A script asks whether there was one.
    return verb.name == "receive" && object->getArray("messages")->size() == 0 ? exitFailed : exitDone;
}

}  // namespace postbus::cli
