#pragma once

#include <memory>
#include <utility>

#include "tests/support/hello_contract.hpp"
#include "tests/support/port_caller.hpp"

namespace postbus::test {

/// sayHi as the typed service does it: an argument that lacks, or is nil, is no argument.
inline void sayHi(core::ExchangePtr exchange) {
    const Element arg = exchange->payload().child("", "arg0");
    bool given = bool(arg);
    if (given)
        if (const auto nil = arg.attribute("http://www.w3.org/2001/XMLSchema-instance", "nil"))
            given = *nil != "true" && *nil != "1";
    core::PayloadWriter& writer = exchange->draft().writer;
    writer.start(helloNs, "sayHiResponse", "ns2");
    writer.start("", "return");
    writer.text("Hello ");
    if (given) {
        if (const auto text = arg.simpleText())
            writer.text(*text);
        else
            writer.text(arg.text());
    }
    writer.end();
    writer.end();
    core::Exchange::reply(std::move(exchange));
}

inline std::shared_ptr<FunctionEndpoint> helloEndpoint(FunctionEndpoint::Handler handler = sayHi) {
    return std::make_shared<FunctionEndpoint>(helloContract(), std::move(handler));
}

inline constexpr std::string_view soap11 = "http://schemas.xmlsoap.org/soap/envelope/",
                                  soap12 = "http://www.w3.org/2003/05/soap-envelope";

/// An envelope with what `header` holds (nothing: no Header) around `body`; `s` stands for the envelope's namespace and
/// `h` for the service's.
inline std::string envelope(std::string_view ns, std::string_view body, std::string_view header = {}) {
    std::string text = "<s:Envelope xmlns:s=\"" + std::string(ns) + "\" xmlns:h=\"" + std::string(helloNs) + "\">";
    if (!header.empty()) text += "<s:Header>" + std::string(header) + "</s:Header>";
    return text + "<s:Body>" + std::string(body) + "</s:Body></s:Envelope>";
}
inline std::string sayHiTo(std::string_view name) {
    return "<h:sayHi><arg0>" + std::string(name) + "</arg0></h:sayHi>";
}

}  // namespace postbus::test
