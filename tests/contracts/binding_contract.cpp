// What every binding promises, whatever it speaks. A new one joins by adding its rig to the tuple.
//
// A rig has
//     static std::shared_ptr<const core::Binding> make(const wsdl::Contract&);   the contract is HelloWorld's
//     static test::Request good(std::string_view name);   a request that it claims and can read: a greeting for `name`
//     static test::Request broken();                      one that it claims and can't read, or has nothing for
//     static test::Request foreign();                     one that it does not claim
//     static bool greets(const test::Answer&, std::string_view name);   whether that is the answer to good(name)
//     static std::string reason(const test::Answer&);     what a person reads of a fault; throws when it is not in the
//                                                         binding's own terms
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>
#include <tuple>

#include "bindings/soap/soap_binding.hpp"
#include "tests/support/document.hpp"
#include "tests/support/hello_endpoint.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

template <bool later>
struct SoapBindingRig {
    static constexpr std::string_view ns = later ? soap12 : soap11;
    static constexpr const char* type = later ? "application/soap+xml; charset=utf-8" : "text/xml; charset=utf-8";

    static std::shared_ptr<const core::Binding> make(const wsdl::Contract& contract) {
        return soap::makeSoapBinding(contract, {});
    }
    static Request good(std::string_view name) {
        Request request;
        request.contentType = type;
        request.body = envelope(ns, sayHiTo(name));
        return request;
    }
    static Request broken() {
        Request request = good("x");
        request.body.resize(request.body.size() / 2);
        return request;
    }
    static Request foreign() {
        Request request = good("x");
        request.method = "GET";
        return request;
    }
    static bool greets(const Answer& answer, std::string_view name) {
        const Document document(answer.body);
        return answer.status == 200 && answer.contentType == type && document.root().is(ns, "Envelope") &&
               document.text("return") == "Hello " + std::string(name);
    }
    static std::string reason(const Answer& answer) {
        const Document document(answer.body);
        if (!document.root().is(ns, "Envelope") || !document.find("Fault")) throw std::runtime_error("no fault");
        if (answer.contentType != type) throw std::runtime_error("type " + answer.contentType);
        return document.text(later ? "Text" : "faultstring");
    }
};

struct WsdlBindingRig {
    static std::shared_ptr<const core::Binding> make(const wsdl::Contract& contract) {
        return soap::makeWsdlBinding(contract, {});
    }
    static Request good(std::string_view) {
        Request request;
        request.method = "GET";
        request.query = "wsdl";
        request.contentType.clear();
        return request;
    }
    static Request broken() {
        Request request = good("");
        request.query = "xsd=nothing";
        return request;
    }
    static Request foreign() {
        Request request = good("");
        request.query.clear();
        return request;
    }
    static bool greets(const Answer& answer, std::string_view) {
        return answer.status == 200 && Document(answer.body).root().local() == "definitions";
    }
    static std::string reason(const Answer& answer) {
        if (answer.contentType != "text/plain; charset=utf-8") throw std::runtime_error("type " + answer.contentType);
        return answer.body;
    }
};

using BindingRigs = std::tuple<SoapBindingRig<false>, SoapBindingRig<true>, WsdlBindingRig>;

/// A binding on a port, with an endpoint that greets.
template <class Rig>
struct Bound {
    std::shared_ptr<FunctionEndpoint> endpoint = helloEndpoint();
    std::shared_ptr<const core::Binding> binding = Rig::make(endpoint->contract());
    PortCaller caller{endpoint, {binding}};
};

constexpr Error::Kind allKinds[] = {Error::Kind::Invalid,         Error::Kind::Unauthorized,   Error::Kind::Forbidden,
                                    Error::Kind::NotFound,        Error::Kind::TooLarge,       Error::Kind::Unsupported,
                                    Error::Kind::VersionMismatch, Error::Kind::MustUnderstand, Error::Kind::Unavailable,
                                    Error::Kind::Timeout,         Error::Kind::Internal};

}  // namespace

BOOST_AUTO_TEST_SUITE(binding_contract)

BOOST_AUTO_TEST_CASE_TEMPLATE(claims_what_is_its_own_and_nothing_else_each_time_it_is_asked, Rig, BindingRigs) {
    Bound<Rig> bound;

    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(bound.binding->claims(Rig::good("x").wire().head));
        BOOST_TEST(bound.binding->claims(Rig::broken().wire().head));
        BOOST_TEST(!bound.binding->claims(Rig::foreign().wire().head));
    }
    BOOST_TEST(bound.binding->methods().find(Rig::good("x").method) != std::string_view::npos);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(carries_a_payload_there_and_back, Rig, BindingRigs) {
    Bound<Rig> bound;

    for (const auto* name : {"Ann", "Zoë–日本 😀", "", "  spaces  "})
        BOOST_TEST(Rig::greets(bound.caller.call(Rig::good(name)), name), name);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_answer_carries_its_request_id, Rig, BindingRigs) {
    Bound<Rig> bound;

    const Answer first = bound.caller.call(Rig::good("x")), second = bound.caller.call(Rig::good("x"));

    BOOST_TEST(!first.requestId.empty());
    BOOST_TEST(first.requestId != second.requestId);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_it_cannot_read_gets_a_fault_in_its_own_terms_with_the_request_id, Rig, BindingRigs) {
    Bound<Rig> bound;

    const Answer answer = bound.caller.call(Rig::broken());

    BOOST_TEST(answer.status >= 400);
    BOOST_TEST(!answer.requestId.empty());
    BOOST_TEST(Rig::reason(answer).find("(request " + answer.requestId + ")") != std::string::npos);
    BOOST_TEST(Rig::greets(bound.caller.call(Rig::good("Ann")), "Ann"));  // and goes on
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refuses_in_its_own_terms_whatever_is_wrong_and_however_it_is_said, Rig, BindingRigs) {
    Bound<Rig> bound;

    for (const Error::Kind kind : allKinds) {
        for (const auto* text :
             {"plain", "", "<&>\"'", "]]>", "a\x0B\x01-b", "\xFF\xC0\xAF", "\xEF\xBF\xBF", "größe"}) {
            const Answer answer = bound.caller.refused(Rig::good("x"), Error(kind, text));
            BOOST_TEST(answer.status >= 400, text);
            BOOST_TEST(answer.status < 600, text);
            BOOST_TEST(Rig::reason(answer).find("(request refused-1)") != std::string::npos, text);
        }
        BOOST_TEST(Rig::reason(bound.caller.refused(Rig::good("x"), Error(kind, "größe < 3 & more")))
                       .starts_with("größe < 3 & more"));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unavailable_says_when_to_come_again, Rig, BindingRigs) {
    Bound<Rig> bound;

    const Answer answer = bound.caller.refused(Rig::good("x"), Error(Error::Kind::Unavailable, "busy"));

    BOOST_TEST(answer.status == 503);
    BOOST_TEST(answer.retryAfter.count() > 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_serves_many_threads_and_keeps_nothing_between_requests, Rig, BindingRigs) {
    auto endpoint = helloEndpoint();
    const std::shared_ptr<const core::Binding> binding = Rig::make(endpoint->contract());
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    threads.reserve(4);

    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            PortCaller caller(endpoint, {binding});
            for (int i = 0; i < 200; ++i) {
                const std::string name = "caller " + std::to_string(t) + " call " + std::to_string(i);
                if (i % 3 == 0 && caller.call(Rig::broken()).status < 400) ++wrong;
                if (!Rig::greets(caller.call(Rig::good(name)), name)) ++wrong;
            }
        });
    for (std::thread& each : threads) each.join();

    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
