/// Calls to other endpoints of the bus, by their names: a queue, a remote address and a service look the same.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "abi.h"
#include "call.hpp"
#include "element.hpp"
#include "fault.hpp"
#include "typed_read.hpp"
#include "typed_write.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

/// What came of an invocation: an answer, nothing more than that it is done, or a fault. A view, valid where it was
/// given.
class Reply {
public:
    explicit Reply(const postbus_outcome* outcome) : outcome_(outcome) {}

    bool isAnswer() const { return outcome_->kind == POSTBUS_OUTCOME_ANSWER; }
    bool isDone() const { return outcome_->kind == POSTBUS_OUTCOME_DONE; }
    bool isFault() const { return outcome_->kind == POSTBUS_OUTCOME_FAULT; }
    /// Whether it is a fault because nobody waits any more for the call that it was made for.
    bool cancelled() const {
        constexpr std::size_t needed = offsetof(postbus_outcome, cancelled) + sizeof outcome_->cancelled;
        return outcome_->size >= needed && outcome_->cancelled != 0;
    }

    /// Of an answer that is XML: its one element. None otherwise.
    Element payload() const {
        return outcome_->tape && outcome_->tape->node_count ? Element{outcome_->tape, 0} : Element{};
    }
    /// Of an answer that is not XML.
    std::string_view bytes() const { return sdk::view(outcome_->bytes); }
    std::string_view contentType() const { return sdk::view(outcome_->content_type); }
    Fault fault() const {
        return {outcome_->code == POSTBUS_FAULT_SENDER ? Fault::Code::Sender : Fault::Code::Receiver,
                std::string(sdk::view(outcome_->reason)), std::string(sdk::view(outcome_->detail))};
    }

    /// The answer as a struct, or the fault: the other's, or a Receiver fault where the answer does not fit. Children
    /// are unqualified, or in the namespace of the answer's element.
    template <HasFields T>
    Outcome<T> read() const {
        if (isFault()) return fault();
        const Element root = payload();
        if (!root) return Fault::receiver("the answer holds no XML");
        T value{};
        sdk::TypedReader reader(root.uri());
        if (!reader.read(root, value)) return Fault::receiver("the answer: " + std::string(reader.error()));
        return value;
    }

private:
    const postbus_outcome* outcome_;
};

/// A request to another endpoint: made by Service::invoke(), written, then sent or waited for, once.
///
///     auto ask = invoke(call, "Stock").with("urn:stock", "getPrice", GetPrice{"ACME"});
///     std::move(ask).then([call = std::move(call)](const postbus::Reply& reply) mutable { ... call.reply(...); });
///
///     const auto price = invoke(request, "Stock").with("urn:stock", "getPrice", in).get<PriceResponse>();
///
/// Owned by one thread at a time.
class Invocation {
public:
    Invocation(const postbus_host* host, const postbus_invoke* table, postbus_call* request)
        : host_(host), table_(table), request_(request) {}
    Invocation(Invocation&& other) noexcept
        : host_(other.host_),
          table_(other.table_),
          request_(std::exchange(other.request_, nullptr)),
          problem_(std::move(other.problem_)) {}
    Invocation& operator=(Invocation&&) = delete;
    ~Invocation() {
        if (request_) table_->drop(request_);
    }

    /// The payload as a struct: one element of that name, its children unqualified, or in its namespace.
    template <HasFields T>
    Invocation&& with(std::string_view uri, std::string_view local, const T& value, bool qualified = false) && {
        if (!request_) return std::move(*this);
        sdk::TypedWriter typed(*host_->writer, request_, qualified ? uri : std::string_view());
        if (!typed.write(uri, local, value)) problem_ = typed.error();
        return std::move(*this);
    }
    /// The payload as an element that is there already.
    Invocation&& with(Element payload) && {
        if (request_) host_->writer->copy(request_, payload.tape(), payload.index());
        return std::move(*this);
    }
    /// Of a message that the service sends on its own account: the address of its receiver, as a subscriber has given
    /// it: http://HOST:PORT/PATH or jms:queue:NAME, one that the configuration lists for messages of this name.
    Invocation&& to(std::string_view address) && {
        constexpr std::size_t needed = offsetof(postbus_invoke, to) + sizeof table_->to;
        if (!request_) return std::move(*this);
        if (table_->size < needed || !table_->to(request_, sdk::borrow(address)))
            problem_ = "this request can't be sent to an address";
        return std::move(*this);
    }
    /// The time it may take; by itself that of the call it is made for, else 30 seconds.
    Invocation&& within(std::chrono::nanoseconds time) && {
        const auto deadline = std::chrono::steady_clock::now() + time;
        if (request_) table_->limit(request_, deadline.time_since_epoch().count());
        return std::move(*this);
    }

    /// Sends it; `told` gets the Reply, once: on a thread of the bus, so it must not wait, and perhaps at once. It may
    /// be move-only; what it throws is lost.
    template <class F>
    void then(F told) && {
        using Kept = Continuation<F>;
        if (const char* reason = unsendable()) return Kept{std::move(told)}.run(refusal(reason));
        if (void* const room = lentRoom(sizeof(Kept), alignof(Kept))) {
            Kept* const kept = ::new (room) Kept{std::move(told)};
            return table_->send(std::exchange(request_, nullptr), Kept::takeLent, kept);
        }
        table_->send(std::exchange(request_, nullptr), Kept::takeOwned, new Kept{std::move(told)});
    }
    /// Sends it and waits, for operations that are not nonblocking. `look` gets the Reply while it is valid.
    template <class F>
    auto wait(F look) && {
        if (const char* reason = unsendable()) {
            const postbus_outcome outcome = refusal(reason);
            return look(Reply(&outcome));
        }
        return look(Reply(table_->wait(request_)));
    }
    /// For coroutines (task.hpp): co_await sends it, and gives what wait() or get() would, without holding a thread.
    ///
    ///     auto ask = invoke(request, "Stock").with("urn:stock", "getPrice", GetPrice{"ACME"});
    ///     const auto price = co_await ask.async<PriceResponse>();
    ///
    /// In two statements: GCC 12 destroys twice what some expressions make within a co_await, so these take a request,
    /// and a function, that have names.
    template <class F>
    auto async(F& look) &;
    template <HasFields T>
    auto async() &;

    /// Sends it and waits for the answer as a struct.
    template <HasFields T>
    Outcome<T> get() && {
        return std::move(*this).wait([](const Reply& reply) { return reply.template read<T>(); });
    }

private:
    template <class F>
    struct Continuation {
        F function;

        static void takeOwned(void* context, const postbus_outcome* outcome) {
            const std::unique_ptr<Continuation> self(static_cast<Continuation*>(context));
            self->run(*outcome);
        }
        static void takeLent(void* context, const postbus_outcome* outcome) {
            auto* const self = static_cast<Continuation*>(context);
            self->run(*outcome);
            self->~Continuation();
        }
        void run(const postbus_outcome& outcome) {
            try {
                function(Reply(&outcome));
            } catch (...) {  // a Call that it held answers for itself
            }
        }
    };

    /// Of the bus's own, where it has some: most functions are small.
    void* lentRoom(std::size_t size, std::size_t alignment) const {
        constexpr std::size_t needed = offsetof(postbus_invoke, room) + sizeof(void*);
        if (table_->size < needed || alignment > alignof(std::max_align_t)) return nullptr;
        return table_->room(request_, static_cast<std::uint32_t>(size));
    }

    const char* unsendable() const {
        if (!table_) return "this bus has no calls between endpoints";
        if (!request_) return "not enough memory for the call";
        return problem_.empty() ? nullptr : problem_.c_str();
    }
    static postbus_outcome refusal(std::string_view reason) {
        postbus_outcome outcome{};
        outcome.size = sizeof outcome;
        outcome.kind = POSTBUS_OUTCOME_FAULT;
        outcome.code = POSTBUS_FAULT_RECEIVER;
        outcome.reason = sdk::borrow(reason);
        return outcome;
    }

    const postbus_host* host_;
    const postbus_invoke* table_;
    postbus_call* request_;
    std::string problem_;
};

}  // namespace POSTBUS_SDK_VISIBILITY
