/// The base of every service.
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi.h"
#include "invoke.hpp"
#include "operation.hpp"
#include "queue.hpp"
#include "raw_operation.hpp"
#include "task.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

enum class LogLevel {
    Debug = POSTBUS_LOG_DEBUG,
    Info = POSTBUS_LOG_INFO,
    Warning = POSTBUS_LOG_WARNING,
    Error = POSTBUS_LOG_ERROR,
};

namespace sdk {
class ServiceAccess;
}

/// What a service's class derives from: define the operations in start(), release what they need in stop().
///
/// The object is made when the plugin is loaded and destroyed before it is unloaded. start and stop are called once
/// each, by one thread; stop only if start succeeded, after the last call has been completed. Handlers run on many
/// threads at once, and must be const. Threads of your own have to be joined in stop(): afterwards the code is gone.
class Service {
public:
    Service() = default;
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    virtual ~Service() = default;

    /// Throw to refuse: the reason is logged, and what served before goes on serving.
    virtual void start() = 0;
    virtual void stop() {}
    /// Whether all is well, from any thread. This version of the bus does not ask yet.
    virtual bool health() { return true; }

protected:
    /// A function of structs, or a coroutine; see sdk::TypedOperation for the signatures, and Task. The caller gets its
    /// answer or a fault; of a function that gives an optional struct perhaps neither (in-optional-out).
    template <class F>
    void operation(std::string_view name, const OperationOptions& options, F function) {
        using Made = sdk::HandlerOperation<F>;
        auto made = std::make_unique<Made>(std::move(function));
        made->name(name, options);
        made->template describe<typename Made::In, typename Made::Out>();
        define(std::move(made));
    }
    template <class F>
    void operation(std::string_view name, F function) {
        operation(name, OperationOptions{}, std::move(function));
    }

    /// A function of a struct whose caller waits for nothing (in-only): it has been told that its message was accepted
    /// before the function runs, and hears of no fault; that goes to the bus's log.
    template <class F>
    void oneway(std::string_view name, const OperationOptions& options, F function) {
        defineWithoutAnswer(name, options, POSTBUS_MEP_IN_ONLY, std::move(function));
    }
    template <class F>
    void oneway(std::string_view name, F function) {
        oneway(name, OperationOptions{}, std::move(function));
    }

    /// A function of a struct whose caller waits until it is done, for no answer but perhaps a fault (robust-in-only).
    template <class F>
    void robust(std::string_view name, const OperationOptions& options, F function) {
        defineWithoutAnswer(name, options, POSTBUS_MEP_ROBUST_IN_ONLY, std::move(function));
    }
    template <class F>
    void robust(std::string_view name, F function) {
        robust(name, OperationOptions{}, std::move(function));
    }

    /// A function of the message as it is. raw<In, Out>(...) describes the two elements for the WSDL all the same.
    template <class In = void, class Out = void, class F>
    void raw(std::string_view name, const OperationOptions& options, F function) {
        auto made = std::make_unique<sdk::RawOperation<F>>(std::move(function));
        made->name(name, options);
        made->template describe<In, Out>();
        define(std::move(made));
    }
    template <class In = void, class Out = void, class F>
    void raw(std::string_view name, F function) {
        raw<In, Out>(name, OperationOptions{}, std::move(function));
    }

    /// Takes every message that no other operation of the service takes. At most one.
    template <class F>
    void any(const OperationOptions& options, F function) {
        auto made = std::make_unique<sdk::RawOperation<F>>(std::move(function));
        made->name("any", options);
        made->takesAny();
        define(std::move(made));
    }
    template <class F>
    void any(F function) {
        any(OperationOptions{}, std::move(function));
    }

    /// A request to another endpoint of the bus, made for a call: the call's deadline travels along. Any thread.
    Invocation invoke(const Request& caller, std::string_view endpoint) const { return begin(&caller, endpoint); }
    /// One that is made for nobody.
    Invocation invoke(std::string_view endpoint) const { return begin(nullptr, endpoint); }

    /// A message that the service sends on its own account, to where the configuration says that messages of this name
    /// go: a queue, a topic, or a callback address.
    ///
    ///     outOnly("priceChanged").with("urn:stock", "priceChanged", price).then([](const postbus::Reply&) {});
    ///
    /// It is over when the receiver has it for good; a fault says why it has not. To be sent or waited for, as an
    /// invocation. `cause` is the call that is the reason for it, or null: messages that cause each other without end
    /// are stopped by it. Any thread, from start() on.
    Invocation outOnly(std::string_view message, const Request* cause = nullptr) const {
        return begin(POSTBUS_MEP_OUT_ONLY, message, cause);
    }
    /// The same, and the fault that the message may trigger.
    Invocation robustOutOnly(std::string_view message, const Request* cause = nullptr) const {
        return begin(POSTBUS_MEP_ROBUST_OUT_ONLY, message, cause);
    }
    /// The same, and the answer, or a fault in its place.
    Invocation outIn(std::string_view message, const Request* cause = nullptr) const {
        return begin(POSTBUS_MEP_OUT_IN, message, cause);
    }
    /// The same, and the answer or the fault, if one comes.
    Invocation outOptionalIn(std::string_view message, const Request* cause = nullptr) const {
        return begin(POSTBUS_MEP_OUT_OPTIONAL_IN, message, cause);
    }

    /// A durable queue of the bus, and a topic, by their names. Any thread.
    Queue queue(std::string_view name) const { return {host_, context_, name}; }
    Topic topic(std::string_view name) const { return {host_, context_, name}; }

    /// co_await pause(request, 20ms): on behalf of a call. Throws the Fault of why there is none.
    sdk::AwaitPause pause(const Request& request, std::chrono::nanoseconds time) const {
        return {host_, context_, request.call_, time};
    }
    /// co_await onWorker(): goes on on a thread that may wait. Throws a Fault when all workers are busy.
    sdk::AwaitWorker onWorker() const { return {host_, context_}; }

    /// A line in the bus's log, with the service's name. Any thread, from start() on.
    void log(LogLevel level, std::string_view text) const {
        host_->log(context_, static_cast<int>(level), sdk::borrow(text));
    }

private:
    friend class sdk::ServiceAccess;

    Invocation begin(const Request* caller, std::string_view endpoint) const {
        postbus_call* const request =
            invoke_ ? invoke_->begin(context_, caller ? caller->call_ : nullptr, sdk::borrow(endpoint)) : nullptr;
        return {host_, invoke_, request};
    }
    Invocation begin(std::uint32_t mep, std::string_view message, const Request* cause) const {
        const auto* const table =
            static_cast<const postbus_out_first*>(host_->extension(context_, sdk::borrow(POSTBUS_OUT_FIRST)));
        return {host_, table ? table->requests : nullptr,
                table ? table->begin(context_, cause ? cause->call_ : nullptr, mep, sdk::borrow(message)) : nullptr};
    }
    void define(std::unique_ptr<sdk::Operation> operation);
    template <class F>
    void defineWithoutAnswer(std::string_view name, const OperationOptions& options, std::uint32_t mep, F function) {
        using Typed = sdk::HandlerOperation<F>;
        static_assert(std::is_void_v<typename Typed::Given>, "nobody waits for the answer of a one-way operation");
        auto made = std::make_unique<Typed>(std::move(function));
        made->name(name, options);
        made->template describe<typename Typed::In, void>();
        made->withoutAnswer(mep);
        define(std::move(made));
    }

    const postbus_host* host_ = nullptr;
    postbus_service_context* context_ = nullptr;
    const postbus_invoke* invoke_ = nullptr;  // null: this bus has no calls between endpoints
    std::string_view name_, ns_;
    bool defining_ = false;
    std::vector<std::unique_ptr<sdk::Operation>> operations_;
};

namespace sdk {

/// A name without colon (Namespaces in XML section 3), as far as ASCII goes.
constexpr bool isNcName(std::string_view name) {
    if (name.empty() || name.front() == '-' || name.front() == '.' || isDigit(name.front())) return false;
    for (const char c : name)
        if (!isWordCharacter(c) && c != '-' && c != '.') return false;
    return true;
}

/// Refuses what no schema could say: bad names, and two different types of one name.
class DescriptionCheck {
public:
    void add(const postbus_type* type) {
        if (!type) return;
        require(type->name);
        const void* const content =
            type->fields ? static_cast<const void*>(type->fields) : static_cast<const void*>(type->values);
        for (const auto& [name, other] : seen_) {
            if (name != view(type->name)) continue;
            if (other == content) return;
            throw std::invalid_argument("two different types are named '" + std::string(name) +
                                        "' in the schema; give one of them a typeName");
        }
        seen_.emplace_back(view(type->name), content);
        if (!type->fields) return;
        for (std::uint32_t i = 0; i < type->field_count; ++i) {
            require(type->fields[i].name);
            add(type->fields[i].type);
        }
    }
    static void require(postbus_str name) {
        if (!isNcName(view(name)))
            throw std::invalid_argument("'" + std::string(view(name)) +
                                        "' is no name for an element, operation or type");
    }

private:
    std::vector<std::pair<std::string_view, const void*>> seen_;
};

}  // namespace sdk

inline void Service::define(std::unique_ptr<sdk::Operation> operation) {
    if (!defining_) throw std::logic_error("operations are defined in start()");
    postbus_operation& table = operation->table;
    sdk::DescriptionCheck::require(table.name);
    const bool any = (table.flags & POSTBUS_OPERATION_ANY) != 0;
    sdk::DescriptionCheck check;
    for (const auto& each : operations_) {
        const bool same = any ? (each->table.flags & POSTBUS_OPERATION_ANY) != 0
                              : sdk::view(each->table.name) == sdk::view(table.name) ||
                                    sdk::view(each->table.in_element) == sdk::view(table.in_element);
        if (same)
            throw std::invalid_argument("operation '" + std::string(sdk::view(table.name)) + "' is defined twice");
        check.add(each->table.in);
        check.add(each->table.out);
    }
    if (!any) sdk::DescriptionCheck::require(table.in_element);
    if (table.out_element.data) sdk::DescriptionCheck::require(table.out_element);
    check.add(table.in);
    check.add(table.out);

    table.id = static_cast<std::uint32_t>(operations_.size());
    operation->home.host = host_;
    operation->home.service = name_;
    operation->home.ns = ns_;
    operations_.push_back(std::move(operation));
    if (host_->define(context_, &operations_.back()->table) != 0)
        throw std::runtime_error("the bus refuses operation '" + std::string(sdk::view(table.name)) + "'");
}

}  // namespace POSTBUS_SDK_VISIBILITY
