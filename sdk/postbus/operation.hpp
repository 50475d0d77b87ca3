/// How a service's functions become operations of the bus.
#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "abi.h"
#include "call.hpp"
#include "describe.hpp"
#include "task.hpp"
#include "typed_read.hpp"
#include "typed_write.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

/// What may be said about an operation besides its name.
///
///     operation("sayHi", {.soapAction = "urn:sayHi", .doc = "Greets."}, [](const SayHi& in) { ... });
struct OperationOptions {
    /// Runs on the loop that read the request: quick, and never waits for anything (disk, network, a lock held long).
    /// Without it the operation runs on a pool of threads and may wait.
    bool nonblocking = false;
    /// The answer's children are in the service's namespace, as a contract with elementFormDefault="qualified" wants. A
    /// WSDL made by the bus always says unqualified.
    bool qualified = false;
    std::string_view soapAction{};
    std::string_view doc{};
    std::string_view inElement{};   ///< not given: the operation's name
    std::string_view outElement{};  ///< not given: the operation's name and "Response"
};

/// operation("sayHi", postbus::nonblocking, ...)
inline constexpr OperationOptions nonblocking{.nonblocking = true};

/// A struct without fields: of operations that take or give nothing.
struct Nothing {
    static constexpr std::tuple<> fields() { return {}; }
};

namespace sdk {

/// Completes a call with what is being thrown. Within a catch clause only.
inline void failWithCurrentException(const CallHome& home, postbus_call* call) {
    try {
        throw;
    } catch (const Fault& fault) {
        fail(home, call, fault);
    } catch (const std::exception& error) {
        fail(home, call, POSTBUS_FAULT_RECEIVER, error.what());
    } catch (...) {
        fail(home, call, POSTBUS_FAULT_RECEIVER, "the service threw something that is no std::exception");
    }
}

/// One operation: the table the bus was given, the text it points to, and the function.
class Operation {
public:
    virtual ~Operation() = default;
    /// Lets no exception out, and sees to it that the call is completed or in somebody's hands.
    virtual void run(postbus_call* call) const = 0;

    postbus_operation table{};
    CallHome home;

    void name(std::string_view name, const OperationOptions& options) {
        name_ = name;
        in_ = options.inElement.empty() ? name_ : std::string(options.inElement);
        out_ = options.outElement.empty() ? name_ + "Response" : std::string(options.outElement);
        action_ = options.soapAction;
        doc_ = options.doc;
        table.size = sizeof table;
        table.flags = options.nonblocking ? static_cast<std::uint32_t>(POSTBUS_OPERATION_NONBLOCKING) : 0u;
        if (!table.mep) table.mep = POSTBUS_MEP_IN_OUT;
        table.name = borrow(name_);
        table.in_element = borrow(in_);
        table.out_element = borrow(out_);
        if (!action_.empty()) table.soap_action = borrow(action_);
        if (!doc_.empty()) table.doc = borrow(doc_);
        home.outElement = out_;
        home.qualified = options.qualified;
    }
    /// The types of the two elements are named as they are (JAX-WS 2.2 section 3.5), whatever the structs are called.
    template <class In, class Out>
    void describe() {
        if constexpr (!std::is_void_v<In>) table.in = wrapper<In>(inType_, in_);
        if constexpr (!std::is_void_v<Out>) table.out = wrapper<Out>(outType_, out_);
    }
    /// POSTBUS_MEP_IN_ONLY or POSTBUS_MEP_ROBUST_IN_ONLY.
    void withoutAnswer(std::uint32_t mep) {
        table.mep = mep;
        table.out_element = {};
        table.out = nullptr;
    }
    void takesAny() {
        table.flags |= POSTBUS_OPERATION_ANY;
        table.in_element = {};
        table.out_element = {};
    }

private:
    template <HasFields T>
    static const postbus_type* wrapper(postbus_type& type, const std::string& name) {
        type = Description<T>::type;
        type.name = borrow(name);
        return &type;
    }

    std::string name_, in_, out_, action_, doc_;
    postbus_type inType_{}, outType_{};
};

/// The types in a function's signature.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A>
struct Signature<R (*)(A...)> {
    using Returns = R;
    using Arguments = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class... A>
struct Signature<R (*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const noexcept> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> {
    static_assert(unsupported<C>, "handlers run on many threads at once: this one must not be mutable");
};

template <class Arguments>
struct InputOf {
    using Type = Nothing;
};
template <HasFields First, class... Rest>
struct InputOf<std::tuple<First, Rest...>> {
    using Type = First;
};

template <class T>
struct OutputOf {
    using Type = T;
    static constexpr bool mayFail = false, mayLack = false;
};
template <class T>
struct OutputOf<std::optional<T>> {
    using Type = T;
    static constexpr bool mayFail = false, mayLack = true;
};
template <class T>
struct OutputOf<Outcome<T>> {
    using Type = typename OutputOf<T>::Type;
    static constexpr bool mayFail = true, mayLack = OutputOf<T>::mayLack;
};

template <class T>
struct OutputOf<Task<T>> : OutputOf<T> {};

/// What a handler of structs takes and gives, and the call around it.
template <class F>
class StructOperation : public Operation {
public:
    using Returns = typename Signature<F>::Returns;
    using Given = typename OutputOf<Returns>::Type;
    using In = typename InputOf<typename Signature<F>::Arguments>::Type;
    using Out = std::conditional_t<std::is_void_v<Given>, Nothing, Given>;
    static_assert(
        HasFields<Out>,
        "an operation gives a struct with fields(), an optional one, void, or an Outcome of either, or a Task "
        "of any of these");

protected:
    explicit StructOperation(F function) : function_(std::move(function)) {
        if constexpr (OutputOf<Returns>::mayLack) table.mep = POSTBUS_MEP_IN_OPTIONAL_OUT;
    }

    /// False: the message does not fit, and the call has been failed.
    bool read(postbus_call* call, In& in) const {
        if (!call->tape) return fail(home, call, POSTBUS_FAULT_SENDER, "this operation takes XML"), false;
        TypedReader reader(home.ns);
        if (reader.read(Element{call->tape, call->payload}, in)) return true;
        fail(home, call, POSTBUS_FAULT_SENDER, reader.error());
        return false;
    }

    Returns invoke(In& in, const Request& request) const {
        if constexpr (std::is_invocable_v<const F&, const In&, const Request&>)
            return function_(in, request);
        else if constexpr (std::is_invocable_v<const F&, In&&, const Request&>)
            return function_(std::move(in), request);
        else if constexpr (std::is_invocable_v<const F&, const In&>)
            return function_(in);
        else if constexpr (std::is_invocable_v<const F&, In&&>)
            return function_(std::move(in));
        else if constexpr (std::is_invocable_v<const F&, const Request&>)
            return function_(request);
        else
            return function_();
    }

    /// Answers with what the handler gave, or its Task did.
    template <class T>
    void conclude(postbus_call* call, const T& given) const {
        if constexpr (OutputOf<T>::mayFail) {
            if (!given) return fail(home, call, given.fault());
            if constexpr (std::is_void_v<typename OutputOf<T>::Type>)
                reply(call, Nothing{});
            else
                give<T>(call, *given);
        } else {
            give<T>(call, given);
        }
    }
    void conclude(postbus_call* call) const { reply(call, Nothing{}); }

private:
    template <class From, class T>
    void give(postbus_call* call, const T& given) const {
        if constexpr (!OutputOf<From>::mayLack)
            reply(call, given);
        else if (given)
            reply(call, *given);
        else
            home.host->reply(call);
    }

    void reply(postbus_call* call, const Out& out) const {
        if (!table.out_element.data) return home.host->reply(call);
        TypedWriter writer(*home.host->writer, call, home.childUri());
        if (!writer.write(home.ns, home.outElement, out))
            return fail(home, call, POSTBUS_FAULT_RECEIVER, writer.error());
        home.host->reply(call);
    }

    F function_;
};

/// A function of structs: (), (const In&), (const Request&) or (const In&, const Request&), giving Out, void, an
/// optional Out (none: the exchange ends without an answer), or an Outcome of any of these.
template <class F>
class TypedOperation final : public StructOperation<F> {
    using Base = StructOperation<F>;

public:
    explicit TypedOperation(F function) : Base(std::move(function)) {}

    void run(postbus_call* call) const override {
        try {
            typename Base::In in{};
            if (!this->read(call, in)) return;
            const Request request(call, &this->home);
            if constexpr (std::is_void_v<typename Base::Returns>) {
                this->invoke(in, request);
                this->conclude(call);
            } else {
                this->conclude(call, this->invoke(in, request));
            }
        } catch (...) {
            failWithCurrentException(this->home, call);
        }
    }
};

/// One that gives a Task: the call is answered when the coroutine has come to its end.
template <class F>
class TaskOperation final : public StructOperation<F> {
    using Base = StructOperation<F>;

public:
    explicit TaskOperation(F function) : Base(std::move(function)) {}

    void run(postbus_call* call) const override {
        std::unique_ptr<Running> running;
        try {
            running = std::make_unique<Running>(*this, call);
            if (!this->read(call, running->in)) return;
            running->task.emplace(this->invoke(running->in, running->request));
        } catch (...) {
            return failWithCurrentException(this->home, call);
        }
        Running& itself = *running.release();  // its own, until the end
        itself.task->start(itself);
    }

private:
    struct Running final : Chain {
        Running(const TaskOperation& of, postbus_call* answered)
            : operation(of), call(answered), request(answered, &of.home) {}

        void finish() noexcept override {
            const std::unique_ptr<Running> self(this);
            try {
                if constexpr (std::is_same_v<typename Base::Returns, Task<void>>) {
                    task->result();
                    task.reset();
                    operation.conclude(call);
                } else {
                    const auto given = task->result();
                    task.reset();
                    operation.conclude(call, given);
                }
            } catch (...) {
                task.reset();
                failWithCurrentException(operation.home, call);
            }
        }
        void abandon() noexcept override {
            const std::unique_ptr<Running> self(this);
            task.reset();
            fail(operation.home, call, POSTBUS_FAULT_RECEIVER, "nobody waits for the answer any more");
        }

        const TaskOperation& operation;
        postbus_call* const call;
        typename Base::In in{};
        Request request;
        std::optional<typename Base::Returns> task;
    };
};

/// Which of the two a handler makes.
template <class F>
using HandlerOperation =
    std::conditional_t<IsTask<typename Signature<F>::Returns>::value, TaskOperation<F>, TypedOperation<F>>;

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
