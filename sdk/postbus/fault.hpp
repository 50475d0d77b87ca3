/// How an operation fails: thrown, or returned as an Outcome.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "abi.h"
#include "fields.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

/// A call's bad end. Throw it from a handler, return it in an Outcome, or hand it to Call::fail.
///
/// `detail` is XML: any number of elements that stand by themselves (prefixes declared inside), or nothing. It becomes
/// the content of the one detail element of the SOAP fault. The bus leaves out one that is not well-formed, and logs
/// that.
struct Fault {
    enum class Code : std::uint32_t {
        Sender = POSTBUS_FAULT_SENDER,      ///< the caller has to change the request (SOAP 1.1: Client)
        Receiver = POSTBUS_FAULT_RECEIVER,  ///< the same request may succeed another time (SOAP 1.1: Server)
    };

    Code code = Code::Receiver;
    std::string reason;
    std::string detail;

    static Fault sender(std::string reason, std::string detail = {}) {
        return {Code::Sender, std::move(reason), std::move(detail)};
    }
    static Fault receiver(std::string reason, std::string detail = {}) {
        return {Code::Receiver, std::move(reason), std::move(detail)};
    }
};

/// What an operation gives that may fail without throwing: its answer, or a Fault.
///
///     operation("divide", [](const Divide& in) -> postbus::Outcome<DivideResponse> {
///         if (in.by == 0) return postbus::Fault::sender("cannot divide by zero");
///         return DivideResponse{in.value / in.by};
///     });
template <class T>
class Outcome {
public:
    Outcome(T value) : held_(std::in_place_index<0>, std::move(value)) {}
    Outcome(Fault fault) : held_(std::in_place_index<1>, std::move(fault)) {}

    explicit operator bool() const { return held_.index() == 0; }
    T& operator*() { return *std::get_if<0>(&held_); }
    const T& operator*() const { return *std::get_if<0>(&held_); }
    T* operator->() { return std::get_if<0>(&held_); }
    const T* operator->() const { return std::get_if<0>(&held_); }
    Fault& fault() { return *std::get_if<1>(&held_); }
    const Fault& fault() const { return *std::get_if<1>(&held_); }

private:
    std::variant<T, Fault> held_;
};

/// For operations whose answer says no more than "done": `return {};`.
template <>
class Outcome<void> {
public:
    Outcome() = default;
    Outcome(Fault fault) : fault_(std::move(fault)) {}

    explicit operator bool() const { return !fault_.has_value(); }
    Fault& fault() { return *fault_; }
    const Fault& fault() const { return *fault_; }

private:
    std::optional<Fault> fault_;
};

namespace sdk {

constexpr postbus_str borrow(std::string_view text) { return {text.data(), text.size()}; }
constexpr std::string_view view(postbus_str text) {
    return text.data ? std::string_view{text.data, text.size} : std::string_view{};
}

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
