#include "cli/call/call_command.hpp"

#include <cstdio>

#include "cli/call/call_arguments.hpp"
#include "cli/call/content_writer.hpp"
#include "cli/call/example.hpp"
#include "cli/call/failure.hpp"
#include "cli/call/find_wsdl.hpp"
#include "cli/call/given.hpp"
#include "cli/call/operation_list.hpp"
#include "cli/call/report.hpp"
#include "cli/call/value.hpp"
#include "cli/table.hpp"

namespace postbus::cli {
namespace {

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

/// The value, or the end of the command.
template <class T>
T need(Result<T> result, ExitStatus otherwise, const std::string& place = {}) {
    if (result) return *std::move(result);
    throw CallFailure(otherwise, (place.empty() ? "" : place + ": ") + result.error().message());
}

int listOperations(const CallArguments& call, wsdl::Description& description) {
    checkPort(description, call);
    if (!call.operation.empty()) choose(description, call);  // says what there is, when that is not
    if (!call.json) {
        print(stdout, listText(description, call.port, call.operation));
        return exitDone;
    }
    Buffer out;
    json::Writer json(out);
    listJson(json, description, call.port, call.operation);
    out.append('\n');
    print(stdout, out.view());
    return exitDone;
}

std::vector<const xsd::ElementDeclaration*> requestElements(wsdl::Description& description,
                                                            const wsdl::PortOperation& operation) {
    if (!operation.refusal.empty())
        throw CallFailure(exitUsage, operation.name + " can't be called with KEY=VALUE: " + operation.refusal +
                                         "; give the content of the Body with --xml");
    return need(elementsOf(description.schemas, operation.in), exitInvalid);
}

/// What the operation takes, for the error about an argument.
[[noreturn]] void refuseArguments(const Error& error, const CallArguments& call, wsdl::Description& description) {
    std::string text = error.message();
    if (!call.json) text += "\n\n" + listText(description, call.port, call.operation);
    throw CallFailure(exitUsage, text);
}

int printExample(const Choice& choice, wsdl::Description& description) {
    for (const auto* each : requestElements(description, *choice.operation))
        print(stdout, exampleOf(description.schemas, *each));
    return exitDone;
}

/// The Body's content, or with --xml perhaps a whole envelope.
GivenXml requestOf(const CallArguments& call, const Choice& choice, wsdl::Description& description) {
    if (call.xml) {
        const std::string bytes = need(readFile(*call.xml), exitUsage);
        return need(readGivenXml(bytes), exitUsage, *call.xml == "-" ? "standard input" : *call.xml);
    }
    GivenTree tree(description.schemas, requestElements(description, *choice.operation), choice.operation->name);
    if (auto set = tree.set(call.values); !set) refuseArguments(set.error(), call, description);
    auto payload = writePayload(tree.root());
    if (!payload) refuseArguments(payload.error(), call, description);
    return {*std::move(payload), false, std::nullopt};
}

HttpRequest httpRequest(const CallArguments& call, const Choice& choice, const GivenXml& given, wsdl::Soap soap,
                        const std::string& url) {
    HttpRequest request{"POST", url, {}, ""};
    std::string header;
    if (!call.soapHeader.empty())
        header = need(readGivenHeader(need(readFile(call.soapHeader), exitUsage)), exitUsage, call.soapHeader);
    if (given.isEnvelope && !header.empty())
        throw CallFailure(exitUsage, "--xml holds an envelope already: --soap-header has no place in it");
    request.body = given.isEnvelope ? given.text : envelope(soap, header, given.text);
    const std::string& action = choice.operation->soapAction;
    request.headers.emplace_back("Accept", "text/xml, application/soap+xml");
    if (soap == wsdl::Soap::V11) {
        request.headers.emplace_back("Content-Type", "text/xml; charset=utf-8");
        request.headers.emplace_back("SOAPAction", '"' + action + '"');
    } else {
        request.headers.emplace_back("Content-Type", "application/soap+xml; charset=utf-8" +
                                                         (action.empty() ? "" : "; action=\"" + action + '"'));
    }
    if (!call.user.empty()) request.headers.emplace_back("Authorization", basicCredentials(call.user));
    request.headers.insert(request.headers.end(), call.headers.begin(), call.headers.end());
    return request;
}

HttpAnswer send(const CallArguments& call, const HttpRequest& request) {
    if (call.verbose) showRequest(request);
    auto answer = httpExchange(request, call.timeout);
    if (!answer) {
        const Error::Kind kind = answer.error().kind();
        const ExitStatus status = kind == Error::Kind::Unavailable ? exitUnreachable
                                  : kind == Error::Kind::Invalid   ? exitInvalid
                                                                   : exitFailed;
        throw CallFailure(status, request.url + ": " + answer.error().message());
    }
    if (call.verbose) showAnswer(*answer);
    return *std::move(answer);
}

int call(const CallArguments& call) {
    wsdl::Description description = loadWsdl(call, findWsdl(call));
    if (call.list) return listOperations(call, description);
    Outcome outcome;
    outcome.choice = choose(description, call);
    if (call.example) return printExample(outcome.choice, description);
    const GivenXml given = requestOf(call, outcome.choice, description);
    outcome.soap = given.soap.value_or(call.soap.value_or(outcome.choice.port->soap));
    outcome.url = call.url.empty() ? outcome.choice.port->address : call.url;
    if (outcome.url.empty())
        throw CallFailure(exitInvalid, "the WSDL gives no address for " + outcome.choice.port->name + "; --url does");
    outcome.http = send(call, httpRequest(call, outcome.choice, given, outcome.soap, outcome.url));
    const bool good = outcome.http.status >= 200 && outcome.http.status < 300;
    const bool nothing = good && xsd::trimmed(outcome.http.body).empty();
    if (!nothing) outcome.answer = need(readAnswer(outcome.http), exitFailed, outcome.url);
    if (outcome.answer && outcome.choice.operation->oneWay && !outcome.answer->fault && good) outcome.answer.reset();
    return report(call, outcome, description.schemas);
}

}  // namespace

int runCallCommand(const Arguments& arguments) {
    const auto read = readCallArguments(arguments);  // checked before: it is good
    try {
        return call(*read);
    } catch (const CallFailure& failure) {
        if (!read->json) {
            print(stderr, "postbus: ");
            for (std::string_view rest = failure.what(); !rest.empty();) {
                const std::string_view line = rest.substr(0, rest.find('\n'));
                print(stderr, printable(line) + '\n');
                rest.remove_prefix(std::min(rest.size(), line.size() + 1));
            }
            return failure.status();
        }
        Buffer out;
        json::Writer json(out);
        json.object([&] { json.member("error", failure.what()); });
        out.append('\n');
        print(stdout, out.view());
        return failure.status();
    }
}

}  // namespace postbus::cli
