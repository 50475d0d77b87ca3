/// A request as it is, and the way to answer it.
#pragma once

#include <cassert>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "abi.h"
#include "element.hpp"
#include "fault.hpp"
#include "typed_read.hpp"
#include "typed_write.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
class Service;
namespace sdk {
struct RequestAccess;

/// What a call needs to know of where it has arrived. Lives as long as its service.
struct CallHome {
    const postbus_host* host = nullptr;
    std::string_view service, ns, outElement;
    bool qualified = false;

    std::string_view childUri() const { return qualified ? ns : std::string_view(""); }
};

inline void fail(const CallHome& home, postbus_call* call, std::uint32_t code, std::string_view reason,
                 std::string_view detail = {}) {
    const postbus_fault fault{sizeof(postbus_fault), code, borrow(reason), borrow(detail)};
    home.host->fail(call, &fault);
}
inline void fail(const CallHome& home, postbus_call* call, const Fault& fault) {
    fail(home, call, static_cast<std::uint32_t>(fault.code), fault.reason, fault.detail);
}
inline void failDropped(const CallHome& home, postbus_call* call) {
    fail(home, call, POSTBUS_FAULT_RECEIVER, "the service dropped the request without an answer");
}

/// The raw call whose handler runs on this thread. A Call that is destroyed because that handler threw leaves the
/// answer to whoever catches, so that the caller learns what was thrown.
struct Landing {
    postbus_call* call;
    int uncaught;  ///< how many exceptions there were before; -1: whoever destroys the Call leaves the answer to us
    bool dropped = false;
};
// A plain pointer: a thread_local with a destructor would keep the plugin from being unloaded.
inline constinit thread_local Landing* landing = nullptr;

}  // namespace sdk

/// A request, to look at. A view: it and all it gives out are valid until the call has been completed.
class Request {
public:
    Request(const postbus_call* call, const sdk::CallHome* home) : call_(call), home_(home) {}

    /// Of this request alone; stands in the bus's log, in faults and in the answer's head.
    std::string_view id() const { return sdk::view(lent().id); }
    /// As the caller wrote it.
    std::string_view contentType() const { return sdk::view(lent().content_type); }
    /// A transport header, by its name in any case.
    std::optional<std::string_view> header(std::string_view name) const {
        const postbus_str value = home_->host->header(&lent(), sdk::borrow(name));
        if (!value.data) return std::nullopt;
        return sdk::view(value);
    }
    /// When the caller gives up, if it does.
    std::optional<std::chrono::steady_clock::time_point> deadline() const {
        if (lent().deadline == 0) return std::nullopt;
        return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(lent().deadline));
    }

    /// Whether nobody waits for the answer any more: the deadline has passed, or the caller is gone. The answer is
    /// still due, but long work for it may stop. OnCancel (cancellation.hpp) tells of it instead of being asked.
    bool cancelled() const {
        const auto* const table =
            static_cast<const postbus_call_state*>(home_->host->extension(nullptr, sdk::borrow(POSTBUS_CALL_STATE)));
        return table && table->cancelled(&lent()) != 0;
    }

    /// Whether the message is XML: then payload() and content() lead into it, else bytes() has it.
    bool isXml() const { return lent().tape != nullptr; }
    /// The element that named the operation; none when the message is empty.
    Element payload() const { return {lent().tape, lent().payload}; }
    /// The element around the payload (a SOAP Body), all of whose content is the message; none for bare XML.
    Element content() const { return {lent().tape, lent().content}; }
    std::string_view bytes() const { return sdk::view(lent().bytes); }

    /// The payload as a struct, or the Sender fault that says where it does not fit.
    template <HasFields T>
    Outcome<T> read() const {
        T value{};
        sdk::TypedReader reader(home_->ns);
        if (!isXml()) return Fault::sender("this operation takes XML");
        if (!reader.read(payload(), value)) return Fault::sender(reader.error());
        return value;
    }

protected:
    friend class Service;
    friend struct sdk::RequestAccess;
    const postbus_call& lent() const {
        assert(call_ && "the call has been completed or moved away");
        return *call_;
    }

    const postbus_call* call_;
    const sdk::CallHome* home_;
};

/// A request that is yours to answer, once: with reply or with fail, now or later, from any thread.
///
/// One that is destroyed unanswered answers a Receiver fault, so no caller is left waiting. The answer is either
/// written event by event (start, declare and attribute, then text, elements, end), or set as bytes. A character that
/// XML forbids, or events out of order, make it a Receiver fault.
///
/// Owned by one thread at a time; hand it on by moving it.
class Call : public Request {
public:
    Call(postbus_call* call, const sdk::CallHome* home) : Request(call, home) {}
    Call(Call&& other) noexcept : Request(std::exchange(other.call_, nullptr), other.home_) {}
    Call& operator=(Call&& other) noexcept {
        if (this != &other) {
            drop();
            call_ = std::exchange(other.call_, nullptr);
            home_ = other.home_;
        }
        return *this;
    }
    ~Call() { drop(); }

    /// Whether it is still to be answered.
    explicit operator bool() const { return call_ != nullptr; }

    void start(std::string_view uri, std::string_view local, std::string_view prefix = "") {
        writer().start(mine(), sdk::borrow(uri), sdk::borrow(local), sdk::borrow(prefix));
    }
    void declare(std::string_view prefix, std::string_view uri) {
        writer().declare(mine(), sdk::borrow(prefix), sdk::borrow(uri));
    }
    void attribute(std::string_view uri, std::string_view local, std::string_view value, std::string_view prefix = "") {
        writer().attribute(mine(), sdk::borrow(uri), sdk::borrow(local), sdk::borrow(prefix), sdk::borrow(value));
    }
    void text(std::string_view text) { writer().text(mine(), sdk::borrow(text)); }
    void end() { writer().end(mine()); }
    /// The element with all it contains, and with the declarations in scope there.
    void copy(Element element) { writer().copy(mine(), element.tape(), element.index()); }
    /// What the element contains.
    void copyContent(Element element) { writer().copy_content(mine(), element.tape(), element.index()); }
    /// A struct as one element.
    template <HasFields T>
    Outcome<void> write(std::string_view uri, std::string_view local, const T& value) {
        sdk::TypedWriter typed(writer(), mine(), home_->childUri());
        if (!typed.write(uri, local, value)) return Fault::receiver(typed.error());
        return {};
    }

    void setHeader(std::string_view name, std::string_view value) {
        home_->host->set_header(mine(), sdk::borrow(name), sdk::borrow(value));
    }
    /// For an answer that is not SOAP.
    void setContentType(std::string_view type) { home_->host->set_content_type(mine(), sdk::borrow(type)); }
    void setBytes(std::string_view bytes) { home_->host->set_bytes(mine(), sdk::borrow(bytes)); }

    /// Completes with what was written.
    void reply() { home_->host->reply(take()); }
    /// Completes with a struct, as the element that the operation answers with.
    template <HasFields T>
    void reply(const T& value) {
        if (auto written = write(home_->ns, home_->outElement, value); !written) return fail(written.fault());
        reply();
    }
    /// Completes with a fault; what was written is dropped.
    void fail(const Fault& fault) { sdk::fail(*home_, take(), fault); }

private:
    const postbus_writer& writer() const { return *home_->host->writer; }
    // The bus lends a call as mutable; Request only promises not to change it.
    postbus_call* mine() { return const_cast<postbus_call*>(&lent()); }
    postbus_call* take() { return const_cast<postbus_call*>(std::exchange(call_, nullptr)); }

    void drop() {
        if (!call_) return;
        postbus_call* const call = take();
        if (sdk::landing && sdk::landing->call == call && std::uncaught_exceptions() > sdk::landing->uncaught) {
            sdk::landing->dropped = true;
            return;
        }
        sdk::failDropped(*home_, call);
    }
};

}  // namespace POSTBUS_SDK_VISIBILITY
