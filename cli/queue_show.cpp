#include "cli/queue_show.hpp"

#include <Poco/Base64Decoder.h>
#include <Poco/JSON/Array.h>

#include <iterator>
#include <sstream>

#include "cli/table.hpp"

namespace postbus::cli {
namespace {

using Poco::JSON::Array;
using Poco::JSON::Object;

std::string text(const Object& object, const std::string& name) {
    return object.isNull(name) ? std::string() : printable(object.getValue<std::string>(name));
}

template <class Visit>
void forEach(const Object& object, const std::string& name, Visit&& visit) {
    if (const Array::Ptr list = object.getArray(name))
        for (unsigned i = 0; i < list->size(); ++i) visit(*list->getObject(i));
}

std::string bodyOf(const Object& message) {
    if (message.has("body")) return message.getValue<std::string>("body");
    if (!message.has("body64")) return {};
    std::istringstream stream(message.getValue<std::string>("body64"));
    Poco::Base64Decoder decoder(stream);
    return {std::istreambuf_iterator<char>(decoder), {}};
}

/// Line by line, each but the first set off so that none is taken for the next message.
std::string printableLines(std::string_view body) {
    std::string all;
    while (body.ends_with('\n') || body.ends_with('\r')) body.remove_suffix(1);
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = body.find('\n');
        std::string_view line = body.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        (all += all.empty() ? "" : "\n    ") += printable(line);
        if (end != std::string_view::npos) body.remove_prefix(end + 1);
    }
    return all;
}

std::string stateOf(const Object& queue) {
    const bool in = queue.getValue<bool>("pausedIn"), out = queue.getValue<bool>("pausedOut");
    return in && out ? "paused" : in ? "paused in" : out ? "paused out" : "open";
}

}  // namespace

std::string showQueues(const Object& answer) {
    Table table({"QUEUE", "STATE", "DEPTH", "IN FLIGHT", "CONSUMERS", "ENQUEUED", "ACKNOWLEDGED", "DEAD"});
    bool any = false;
    forEach(answer, "queues", [&](const Object& each) {
        any = true;
        table.add({text(each, "name"), stateOf(each), text(each, "depth"), text(each, "inFlight"),
                   text(each, "consumers"), text(each, "enqueued"), text(each, "acknowledged"), text(each, "dead")});
    });
    const std::string store = text(answer, "store");
    std::string all = any ? table.text() : "there are no queues\n";
    if (store == "full") all += "the disk of the store is full: senders are refused\n";
    if (store == "failed") all += "the store has failed: see the log, then postbus queue reopen\n";
    return all;
}

std::string showSent(const Object& answer) { return text(answer, "id") + '\n'; }

std::string showReceived(const Object& answer) {
    std::string all;
    forEach(answer, "messages", [&](const Object& each) { all += bodyOf(each) + '\n'; });
    return all;
}

std::string showBrowsed(const Object& answer) {
    Table table({"NUMBER", "ID", "CORRELATION", "REPLY TO", "TYPE", "BYTES", "DELIVERIES"});
    std::string notes;
    bool any = false;
    forEach(answer, "messages", [&](const Object& each) {
        any = true;
        table.add({text(each, "number"), text(each, "id"), text(each, "correlationId"), text(each, "replyTo"),
                   text(each, "contentType"), text(each, "size"), text(each, "deliveries")});
        if (const Object::Ptr dead = each.getObject("deadLetter"))
            notes += text(each, "number") + ": from " + text(*dead, "origin") + " after " + text(*dead, "attempts") +
                     " attempts: " + text(*dead, "reason") + '\n';
        const std::string body = bodyOf(each);
        if (!body.empty()) notes += text(each, "number") + ": " + printableLines(body) + '\n';
    });
    if (!any) return "the queue is empty\n";
    return table.text() + (notes.empty() ? "" : '\n' + notes);
}

std::string showCount(const Object& answer) {
    const std::string count = text(answer, "messages");
    return count + (count == "1" ? " message\n" : " messages\n");
}

std::string showNothing(const Object&) { return {}; }

}  // namespace postbus::cli
