#include "cli/show.hpp"

#include <Poco/JSON/Array.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "cli/table.hpp"

namespace postbus::cli {
namespace {

using Poco::JSON::Array;
using Poco::JSON::Object;

std::string text(const Object& object, const std::string& name) {
    return object.isNull(name) ? std::string() : printable(object.getValue<std::string>(name));
}

std::vector<std::string> texts(const Object& object, const std::string& name) {
    std::vector<std::string> all;
    if (const Array::Ptr list = object.getArray(name))
        for (const auto& each : *list) all.push_back(printable(each.convert<std::string>()));
    return all;
}

std::string joined(const Object& object, const std::string& name) {
    std::string all;
    for (const std::string& each : texts(object, name)) (all += all.empty() ? "" : ", ") += each;
    return all;
}

template <class Visit>
void forEach(const Object& object, const std::string& name, Visit&& visit) {
    if (const Array::Ptr list = object.getArray(name))
        for (unsigned i = 0; i < list->size(); ++i) visit(*list->getObject(i));
}

std::string decimal(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", number);
    return digits;
}

std::string bytes(const Object& object, const std::string& name) {
    return decimal(object.getValue<double>(name) / (1 << 20)) + " MiB";
}

/// 1 d 2 h, 3 min 4 s: the two largest units.
std::string duration(double seconds) {
    struct Unit {
        std::int64_t seconds;
        const char* name;
    };
    constexpr Unit units[] = {{86'400, "d"}, {3'600, "h"}, {60, "min"}, {1, "s"}};
    auto left = static_cast<std::int64_t>(seconds);
    std::string all;
    int used = 0;
    for (const Unit& each : units) {
        const std::int64_t count = left / each.seconds;
        left %= each.seconds;
        if (used == 2 || (count == 0 && used == 0)) continue;
        ((all += used++ ? " " : "") += std::to_string(count) + ' ') += each.name;
    }
    return all.empty() ? decimal(seconds) + " s" : all;
}

std::string counts(const Object& object, std::initializer_list<const char*> names) {
    std::string all;
    for (const char* each : names) ((all += all.empty() ? "" : ", ") += each) += ' ' + text(object, each);
    return all;
}

}  // namespace

std::string showStatus(const Object& answer) {
    std::string all = "postbusd " + text(answer, "version") + ", " + text(answer, "state") + ", " +
                      (answer.getValue<bool>("ready") ? "ready" : "not ready") + ", pid " + text(answer, "pid") +
                      ", up " + duration(answer.getValue<double>("uptime")) + '\n';
    for (const std::string& each : texts(answer, "reasons")) all += "  not ready: " + each + '\n';
    for (const std::string& each : texts(answer, "troubles")) all += "  " + each + '\n';
    for (const std::string& each : texts(answer, "restart")) all += "  needs a restart: " + each + '\n';
    const std::string file = text(answer, "configFile");
    all += "\nconfiguration  " + (file.empty() ? "built-in defaults" : file) + '\n';
    all += "state folder   " + text(answer, "stateFolder") + '\n';
    const Object& memory = *answer.getObject("memory");
    all += "memory         " + bytes(memory, "resident") + " resident, " + bytes(memory, "anonymous") + " private\n";
    all += "exchanges      " +
           counts(*answer.getObject("exchanges"),
                  {"open", "begun", "faults", "timeouts", "abandoned", "late", "dropped"}) +
           '\n';
    all += "http           " + counts(*answer.getObject("http"), {"connections", "accepted", "requests", "refused"}) +
           '\n';
    forEach(answer, "loops", [&](const Object& each) {
        all += "loop           " + text(each, "name") + ", late by " + text(each, "lagMicroseconds") + " us, at most " +
               text(each, "longestLagMicroseconds") + " us\n";
    });
    all += '\n';
    Table table({"TRANSPORT", "LISTENER", "ADDRESS", "CONNECTIONS"});
    forEach(answer, "listeners", [&](const Object& each) {
        table.add({text(each, "transport"), text(each, "name"), text(each, "address"), text(each, "connections")});
    });
    return all + table.text();
}

std::string showEndpoints(const Object& answer) {
    Table table({"ENDPOINT", "STATE", "SERVICE", "PLUGIN", "VERSION", "OPERATIONS", "WSDL"});
    std::string notes;
    forEach(answer, "endpoints", [&](const Object& each) {
        const auto wsdl = texts(each, "wsdl");
        const std::string reason = text(each, "reason");
        table.add({text(each, "name"), text(each, "state"), text(each, "service"), text(each, "plugin"),
                   text(each, "version"), joined(each, "operations"), wsdl.empty() ? "" : wsdl.front()});
        for (std::size_t i = 1; i < wsdl.size(); ++i) table.add({"", "", "", "", "", "", wsdl[i]});
        if (!reason.empty()) notes += text(each, "name") + ": " + reason + '\n';
    });
    return table.text() + (notes.empty() ? "" : "\n" + notes);
}

std::string showPlugins(const Object& answer) {
    Table table({"PLUGIN", "VERSION", "STATE", "SERVICES", "HASH", "FILE"});
    std::string notes;
    forEach(answer, "plugins", [&](const Object& each) {
        const std::string reason = text(each, "reason");
        const std::string file = text(each, "file");
        table.add({text(each, "name"), text(each, "version"), text(each, "state"), joined(each, "services"),
                   text(each, "hash").substr(0, 12), each.getValue<bool>("bundled") ? file + " (bundled)" : file});
        if (!reason.empty()) notes += file + ": " + reason + '\n';
    });
    if (const std::string trouble = text(answer, "trouble"); !trouble.empty())
        notes += "nothing is taken from the deploy folder: " + trouble + '\n';
    return table.text() + (notes.empty() ? "" : "\n" + notes);
}

std::string showExchanges(const Object& answer) {
    Table table({"REQUEST", "ENDPOINT", "OPERATION", "PEER", "AGE"});
    std::size_t listed = 0;
    forEach(answer, "exchanges", [&](const Object& each) {
        ++listed;
        table.add({text(each, "id"), text(each, "endpoint"), text(each, "operation"), text(each, "peer"),
                   decimal(each.getValue<double>("age")) + " s"});
    });
    std::string all = listed ? table.text() : "no calls are under way\n";
    if (answer.getValue<std::int64_t>("total") > static_cast<std::int64_t>(listed))
        all += "of " + text(answer, "total") + " in all\n";
    if (!answer.getValue<bool>("complete"))
        all += "a loop did not answer within a second: a nonblocking operation blocks it\n";
    return all;
}

std::string showReload(const Object& answer) {
    std::string all;
    for (const std::string& each : texts(answer, "problems")) all += each + '\n';
    all += answer.getValue<bool>("reloaded") ? "reloaded\n" : "nothing was changed\n";
    for (const std::string& each : texts(answer, "restart")) all += "needs a restart: " + each + '\n';
    return all;
}

}  // namespace postbus::cli
