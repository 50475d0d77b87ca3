// Bytes to a SOAP answer: whatever comes in, what goes out is one well-formed envelope, of one version, and the bus
// lives on. The first byte chooses the media type and what interceptors there are; the rest is the body.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/event.hpp"
#include "bindings/soap/soap_binding.hpp"
#include "interceptors/addressing/addressing.hpp"
#include "interceptors/validate/validate.hpp"
#include "tests/support/document.hpp"
#include "tests/support/hello_endpoint.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

constexpr const char* types[] = {"text/xml; charset=utf-8",
                                 "application/soap+xml; charset=utf-8",
                                 "text/xml",
                                 "text/xml; charset=iso-8859-1",
                                 "text/xml; charset=utf-16",
                                 "application/soap+xml",
                                 "",
                                 "application/soap+xml; action=\"urn:echo\""};

/// HelloWorld, and an operation that takes anything and gives it back.
wsdl::Contract contract() {
    wsdl::Contract its = helloContract();
    wsdl::Operation any;
    any.name = "echo";
    any.any = any.nonblocking = true;
    any.soapAction = "urn:echo";
    its.operations.push_back(any);
    return its;
}

void answer(core::ExchangePtr exchange) {
    if (!exchange->operation()->any) return sayHi(std::move(exchange));
    // Twice: once as XML that goes through the writer, once as a detail.
    if (exchange->content().firstChild() && exchange->content().firstChild().local() == "fail") {
        core::Fault fault;
        fault.code = core::Fault::Code::Sender;
        fault.reason = fault.detail = exchange->content().text();
        return core::Exchange::fail(std::move(exchange), std::move(fault));
    }
    if (exchange->content().firstChild() && exchange->content().firstChild().local() == "raw") {
        exchange->draft().raw = true;
        exchange->draft().bytes.append(exchange->content().text());
        return core::Exchange::reply(std::move(exchange));
    }
    exchange->draft().writer.copyContent(exchange->content());
    core::Exchange::reply(std::move(exchange));
}

void require(bool holds, const char* what, const Answer& given) {
    if (holds) return;
    std::fprintf(stderr, "%s\n%d %s\n%s\n", what, given.status, given.contentType.c_str(), given.body.c_str());
    std::abort();
}

/// It has to be one envelope, of the version that its content type says.
void requireEnvelope(std::string_view body, std::string_view contentType, bool needsFault, const Answer& given) {
    const Document document(body);  // throws when it is not well-formed, which ends the run
    const Element root = document.root();
    const bool one = root.is(soap11, "Envelope"), two = root.is(soap12, "Envelope");
    require(one || two, "no envelope", given);
    require(contentType == (one ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8"),
            "the content type is of another version", given);
    const Element fault = root.child(root.uri(), "Body").child(root.uri(), "Fault");
    if (needsFault) require(bool(fault), "an error without a fault", given);
}

/// Looks at answers that go elsewhere.
class Elsewhere : public addressing::AnswerSender {
public:
    void send(addressing::SentAnswer&& answer, Done done) override {
        ++sent;
        requireEnvelope(answer.body.view(), answer.contentType, answer.isFault, {});
        require(answer.address.starts_with("http://allowed/"), "an address that is not allowed", {});
        done(ok());
    }
    void keep(std::string_view, addressing::SentAnswer&&, std::string_view, Done) override {}
    int sent = 0;
};

/// None, addressing, addressing and validation.
PortCaller& callerWith(unsigned interceptors) {
    static auto endpoint = std::make_shared<FunctionEndpoint>(contract(), answer);
    static const auto sender = std::make_shared<Elsewhere>();
    const auto made = [](bool addressed, bool validated) {
        auto chain = std::make_shared<core::Chain>();
        addressing::AddressingConfig config;
        config.replyTo = {"http://allowed/*"};
        if (addressed) chain->add(addressing::makeAddressing(endpoint->contract(), config, sender));
        if (validated) chain->add(validate::makeValidate(endpoint->contract(), {}));
        return std::make_unique<PortCaller>(
            endpoint,
            std::vector<std::shared_ptr<const core::Binding>>{soap::makeSoapBinding(endpoint->contract(), {})}, chain);
    };
    static const std::unique_ptr<PortCaller> callers[] = {made(false, false), made(true, false), made(true, true)};
    return *callers[interceptors % std::size(callers)];
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    log::configure({log::Format::Text, log::Level::Error, 2});
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    Request request;
    request.contentType = types[data[0] % std::size(types)];
    request.body.assign(reinterpret_cast<const char*>(data) + 1, size - 1);

    const Answer given = callerWith(data[0] / std::size(types)).call(request);

    // It went elsewhere, or nowhere.
    if (given.status == 202) return require(given.body.empty(), "a 202 that is not empty", given), 0;
    requireEnvelope(given.body, given.contentType, given.status != 200, given);
    return 0;
}
