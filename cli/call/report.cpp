#include "cli/call/report.hpp"

#include <cstdio>

#include "cli/call/answer_print.hpp"
#include "cli/exit_status.hpp"
#include "cli/table.hpp"
#include "formats/mime/media_type.hpp"

namespace postbus::cli {
namespace {

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

const xsd::Type* typeOf(Element element, xsd::SchemaSet& schemas) {
    const auto declared = schemas.element({std::string(element.uri()), std::string(element.local())});
    return declared ? (*declared)->type : nullptr;
}

/// The answer as one tree: the content of its only element, else its elements by name.
AnswerNode answerTree(const SoapAnswer& answer, xsd::SchemaSet& schemas) {
    if (answer.payload.size() == 1) return readNode(answer.payload[0], typeOf(answer.payload[0], schemas), schemas);
    AnswerNode all;
    all.kind = AnswerNode::Kind::Object;
    for (const Element each : answer.payload)
        all.members.push_back({std::string(each.local()), false, {readNode(each, typeOf(each, schemas), schemas)}});
    return all;
}

AnswerNode detailTree(Element detail, xsd::SchemaSet& schemas) {
    AnswerNode all;
    all.kind = AnswerNode::Kind::Object;
    for (Element each = detail.firstChild(); each; each = each.next())
        all.members.push_back({std::string(each.local()), false, {readNode(each, typeOf(each, schemas), schemas)}});
    if (!all.members.empty()) return all;
    all.kind = AnswerNode::Kind::Text;
    all.text = xsd::trimmed(detail.text());
    return all;
}

std::string milliseconds(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f ms", value);
    return digits;
}

void timingText(const HttpAnswer& http) {
    print(stderr, "connect " + milliseconds(http.connectMs) + ", first byte " + milliseconds(http.firstByteMs) +
                      ", total " + milliseconds(http.totalMs) + "; sent " + std::to_string(http.sentBytes) +
                      " bytes, received " + std::to_string(http.body.size()) + '\n');
}

void faultText(const SoapFault& fault, xsd::SchemaSet& schemas) {
    std::string text = "postbus: fault " + printable(fault.code) + ": " + printable(fault.reason) + '\n';
    for (const std::string& each : fault.subcodes) text += "  subcode: " + printable(each) + '\n';
    if (!fault.actor.empty()) text += "  actor: " + printable(fault.actor) + '\n';
    if (fault.detail) {
        const AnswerNode detail = detailTree(fault.detail, schemas);
        const bool object = detail.kind == AnswerNode::Kind::Object;
        text += object ? "  detail:\n" + printText(detail, "", 2) : printText(detail, "detail", 1);
    }
    print(stderr, text);
}

void faultJson(json::Writer& json, const SoapFault& fault, xsd::SchemaSet& schemas) {
    json.object("fault", [&] {
        json.member("code", fault.code);
        json.array("subcodes", [&] {
            for (const std::string& each : fault.subcodes) json.value(each);
        });
        json.member("reason", fault.reason);
        json.member("actor", fault.actor);
        json.key("detail");
        if (fault.detail)
            printJson(json, detailTree(fault.detail, schemas));
        else
            json.null();
    });
}

void reportJson(const Outcome& outcome, xsd::SchemaSet& schemas) {
    Buffer out;
    json::Writer json(out);
    json.object([&] {
        json.member("url", outcome.url);
        json.member("port", outcome.choice.port->name);
        json.member("operation", outcome.choice.operation->name);
        json.member("soap", outcome.soap == wsdl::Soap::V11 ? "1.1" : "1.2");
        json.member("status", outcome.http.status);
        if (!outcome.answer) {
            json.member("accepted", true);
        } else if (outcome.answer->fault) {
            faultJson(json, *outcome.answer->fault, schemas);
        } else {
            json.key("answer");
            printJson(json, answerTree(*outcome.answer, schemas));
        }
        json.object("timing", [&] {
            json.member("connectMs", outcome.http.connectMs);
            json.member("firstByteMs", outcome.http.firstByteMs);
            json.member("totalMs", outcome.http.totalMs);
            json.member("sentBytes", outcome.http.sentBytes);
            json.member("receivedBytes", outcome.http.body.size());
        });
    });
    out.append('\n');
    print(stdout, out.view());
}

/// Lines that begin with `mark`, without what would steer a terminal.
void showLines(const char* mark, std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        print(stderr, mark + printable(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line) + '\n');
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
}

}  // namespace

int report(const CallArguments& call, const Outcome& outcome, xsd::SchemaSet& schemas) {
    const bool fault = outcome.answer && outcome.answer->fault;
    if (call.json) {
        reportJson(outcome, schemas);
        return fault ? exitFailed : exitDone;
    }
    if (!outcome.answer) {
        print(stdout, "accepted\n");
    } else if (fault) {
        faultText(*outcome.answer->fault, schemas);
    } else if (!outcome.answer->payload.empty()) {
        const std::string name(outcome.answer->payload[0].local());
        print(stdout, printText(answerTree(*outcome.answer, schemas), name));
    }
    timingText(outcome.http);
    return fault ? exitFailed : exitDone;
}

void showRequest(const HttpRequest& request) {
    showLines("> ", request.method + ' ' + request.url);
    for (const auto& [name, value] : request.headers) {
        const bool secret = mime::sameIgnoringCase(name, "Authorization");
        showLines("> ", name + ": " + (secret ? value.substr(0, value.find(' ')) + " ***" : value));
    }
    print(stderr, ">\n");
    showLines("> ", request.body);
}

void showAnswer(const HttpAnswer& answer) {
    showLines("< ", "HTTP " + std::to_string(answer.status) + ' ' + answer.reason);
    for (const auto& [name, value] : answer.headers) showLines("< ", std::string(name).append(": ").append(value));
    print(stderr, "<\n");
    showLines("< ", answer.body);
}

}  // namespace postbus::cli
