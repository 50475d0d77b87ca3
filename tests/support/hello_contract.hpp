#pragma once

#include <postbus/abi.h>

#include <string_view>

#include "formats/wsdl/contract.hpp"

namespace postbus::test {

inline constexpr std::string_view helloNs = "http://cxf.examples.servicemix.apache.org/";

constexpr postbus_str str(std::string_view text) { return {text.data(), text.size()}; }

inline constexpr postbus_field helloField(std::string_view name) {
    return {str(name), {nullptr, 0}, POSTBUS_KIND_STRING, POSTBUS_FIELD_OPTIONAL, nullptr};
}
inline constexpr postbus_field sayHiFields[] = {helloField("arg0")};
inline constexpr postbus_field sayHiResponseFields[] = {helloField("return")};

inline constexpr postbus_type structOf(std::string_view name, const postbus_field* fields, std::uint32_t count) {
    return {sizeof(postbus_type), POSTBUS_KIND_STRUCT, str(name), fields, nullptr, count, sizeof(postbus_field), 0};
}
inline constexpr postbus_type sayHiType = structOf("SayHi", sayHiFields, 1);
inline constexpr postbus_type sayHiResponseType = structOf("SayHiResponse", sayHiResponseFields, 1);

inline wsdl::Operation inOut(std::string name, const postbus_type* in, const postbus_type* out) {
    wsdl::Operation operation;
    operation.name = operation.inElement = name;
    operation.outElement = name;
    operation.outElement += "Response";
    operation.nonblocking = true;
    operation.in = in;
    operation.out = out;
    return operation;
}

/// ServiceMix's HelloWorld, as a plugin would define it.
inline wsdl::Contract helloContract() {
    wsdl::Contract contract;
    contract.name = "HelloWorld";
    contract.ns = helloNs;
    contract.implementation = "HelloWorldImpl";
    contract.operations.push_back(inOut("sayHi", &sayHiType, &sayHiResponseType));
    return contract;
}

}  // namespace postbus::test
