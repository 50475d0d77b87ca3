/// Messages of queues and topics: what is sent, and what has come.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "abi.h"
#include "abi_queues.h"
#include "fault.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

using PropertyValue = std::variant<bool, std::int64_t, double, std::string_view>;

/// A property of a message: {"region", "north"}, {"count", 3}.
struct Property {
    std::string_view name;
    PropertyValue value;
};

/// What may be said of a message besides its body. Views: valid while it is sent.
///
///     queue("orders").send(order, {.contentType = "text/xml", .priority = 7, .properties = {{"region", "north"}}});
struct MessageOptions {
    std::string_view contentType{};
    std::string_view correlationId{};
    std::string_view replyTo{};               ///< name of the queue for an answer
    std::string_view type{};                  ///< JMSType
    std::string_view id{};                    ///< JMSMessageID; not given: the bus makes one
    std::string_view group{};                 ///< JMSXGroupID: all of a group go to one consumer, in order
    std::int32_t groupSequence = 0;           ///< JMSXGroupSeq; -1: the last of its group
    std::string_view duplicateKey{};          ///< for the detection of duplicates; not given: the id, if one is
    std::uint32_t priority = 4;               ///< 0-9; 9 is delivered first
    bool persistent = true;                   ///< false: kept in memory alone, gone with the daemon
    std::chrono::milliseconds timeToLive{0};  ///< 0: what the queue says
    std::chrono::milliseconds delay{0};       ///< not to be delivered before
    std::vector<Property> properties{};
};

/// Why the queues did not do what they were asked.
struct QueueError {
    enum class Kind : std::uint32_t {
        Cancelled = POSTBUS_QUEUE_CANCELLED,      ///< nobody waits any more for the call that it was done for
        Invalid = POSTBUS_QUEUE_INVALID,          ///< what was given can't be
        NotFound = POSTBUS_QUEUE_NOT_FOUND,       ///< no such queue; or the message is somebody else's by now
        TooLarge = POSTBUS_QUEUE_TOO_LARGE,       ///< the queue takes no message of that size
        Unavailable = POSTBUS_QUEUE_UNAVAILABLE,  ///< full, paused, out of service: another time perhaps
        Closed = POSTBUS_QUEUE_CLOSED,            ///< the service leaves, and takes no more messages
        Blocking = POSTBUS_QUEUE_BLOCKING,        ///< this thread must not wait
        Failed = POSTBUS_QUEUE_FAILED,            ///< the store has failed, until it is opened anew
    };
    Kind kind = Kind::Unavailable;
    std::string reason;

    /// For a caller who is to be told.
    Fault fault() const { return Fault::receiver(reason); }
};

/// Success, and what there is to it, or a QueueError.
template <class T = void>
class [[nodiscard]] QueueResult {
public:
    QueueResult(T value) : held_(std::in_place_index<0>, std::move(value)) {}
    QueueResult(QueueError error) : held_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return held_.index() == 0; }
    T& operator*() { return *std::get_if<0>(&held_); }
    const T& operator*() const { return *std::get_if<0>(&held_); }
    T* operator->() { return std::get_if<0>(&held_); }
    const T* operator->() const { return std::get_if<0>(&held_); }
    const QueueError& error() const { return *std::get_if<1>(&held_); }
    Fault fault() const { return error().fault(); }

private:
    std::variant<T, QueueError> held_;
};

template <>
class [[nodiscard]] QueueResult<void> {
public:
    QueueResult() = default;
    QueueResult(QueueError error) : error_(std::move(error)) {}

    explicit operator bool() const { return !error_.has_value(); }
    const QueueError& error() const { return *error_; }
    Fault fault() const { return error().fault(); }

private:
    std::optional<QueueError> error_;
};

/// True once the message is durable; for one that is not persistent, once it is taken.
using Sent = QueueResult<>;

/// A message that has come, yours to settle, once; or none. It and all it gives out are valid until it is settled.
///
/// One that is destroyed unsettled counts as a failed attempt, as if it had been rejected. Owned by one thread at a
/// time; hand it on by moving it.
class Delivery {
public:
    Delivery() = default;
    Delivery(const postbus_queues* table, postbus_delivery* lent) : table_(table), lent_(lent) {}
    Delivery(Delivery&& other) noexcept : table_(other.table_), lent_(std::exchange(other.lent_, nullptr)) {}
    Delivery& operator=(Delivery&& other) noexcept {
        if (this != &other) {
            drop();
            table_ = other.table_;
            lent_ = std::exchange(other.lent_, nullptr);
        }
        return *this;
    }
    ~Delivery() { drop(); }

    /// Whether there is a message, not settled yet.
    explicit operator bool() const { return lent_ != nullptr; }

    std::string_view body() const { return sdk::view(message().body); }
    std::string_view contentType() const { return sdk::view(message().content_type); }
    std::string_view id() const { return sdk::view(message().id); }
    std::string_view correlationId() const { return sdk::view(message().correlation_id); }
    std::string_view replyTo() const { return sdk::view(message().reply_to); }
    std::string_view type() const { return sdk::view(message().type); }
    std::string_view group() const { return sdk::view(message().group); }
    std::int32_t groupSequence() const { return message().group_sequence; }
    std::uint32_t priority() const { return message().priority; }
    bool persistent() const { return message().persistent != 0; }
    /// When it was sent.
    std::chrono::system_clock::time_point sent() const {
        return std::chrono::system_clock::time_point(std::chrono::milliseconds(message().timestamp));
    }
    /// When it stops to count, if it does.
    std::optional<std::chrono::system_clock::time_point> expires() const {
        if (message().expires == 0) return std::nullopt;
        return std::chrono::system_clock::time_point(std::chrono::milliseconds(message().expires));
    }
    std::optional<PropertyValue> property(std::string_view name) const {
        for (std::uint32_t i = 0; i < message().property_count; ++i)
            if (const Property each = propertyAt(i); each.name == name) return each.value;
        return std::nullopt;
    }
    std::vector<Property> properties() const {
        std::vector<Property> all;
        for (std::uint32_t i = 0; i < message().property_count; ++i) all.push_back(propertyAt(i));
        return all;
    }

    /// That it lies in.
    std::string_view queue() const { return sdk::view(lent_->queue); }
    /// Attempts to work on it, with this one, that are known of: 1 for the first.
    std::uint32_t attempt() const { return lent_->count; }
    /// False: certainly never delivered before.
    bool redelivered() const { return lent_->redelivered != 0; }
    /// Of one in a dead letter queue: the queue it was sent to, and why it is here.
    std::string_view deadOrigin() const { return sdk::view(lent_->dead_origin); }
    std::string_view deadReason() const { return sdk::view(lent_->dead_reason); }

    /// The work is done: it never comes back.
    void acknowledge() { settle(POSTBUS_SETTLE_DONE, {}); }
    /// The same, and waits until that is durable: where it is not, the message may come again. Not for threads that
    /// must not wait.
    Sent acknowledgeNow();
    /// A failed attempt: it comes again after the queue's pause, or is set aside after the last.
    void reject(std::string_view reason) { settle(POSTBUS_SETTLE_FAIL, reason); }
    /// Back at once, as if it had not been taken: no attempt is counted.
    void release() { settle(POSTBUS_SETTLE_RELEASE, {}); }
    /// No attempt will ever do: to the dead letter queue, with the reason.
    void setAside(std::string_view reason) { settle(POSTBUS_SETTLE_SET_ASIDE, reason); }

private:
    const postbus_message& message() const { return *lent_->message; }
    Property propertyAt(std::uint32_t index) const {
        const char* const first = reinterpret_cast<const char*>(message().properties);
        const auto& given =
            *reinterpret_cast<const postbus_property*>(first + std::size_t{index} * message().property_size);
        switch (given.kind) {
            case POSTBUS_PROPERTY_BOOL:
                return {sdk::view(given.name), given.integer != 0};
            case POSTBUS_PROPERTY_INTEGER:
                return {sdk::view(given.name), std::int64_t{given.integer}};
            case POSTBUS_PROPERTY_REAL:
                return {sdk::view(given.name), given.real};
            default:
                return {sdk::view(given.name), sdk::view(given.text)};
        }
    }
    void settle(std::uint32_t how, std::string_view reason) {
        if (postbus_delivery* const lent = std::exchange(lent_, nullptr))
            table_->settle(lent, how, sdk::borrow(reason), 0, nullptr, nullptr);
    }
    void drop() { settle(POSTBUS_SETTLE_FAIL, "the service dropped the message"); }

    const postbus_queues* table_ = nullptr;
    postbus_delivery* lent_ = nullptr;
};

/// True when nothing went wrong: then it is the message, or an empty Delivery where none came in time.
using Received = QueueResult<Delivery>;

namespace sdk {

inline QueueError queueError(const postbus_queue_result& result) {
    return {static_cast<QueueError::Kind>(result.kind), std::string(view(result.reason))};
}

template <class T>
QueueResult<T> queueResult(const postbus_queues* table, const postbus_queue_result& result);
template <>
inline Sent queueResult<void>(const postbus_queues*, const postbus_queue_result& result) {
    if (result.kind == POSTBUS_QUEUE_DONE) return {};
    return queueError(result);
}
template <>
inline Received queueResult<Delivery>(const postbus_queues* table, const postbus_queue_result& result) {
    if (result.kind == POSTBUS_QUEUE_NOTHING) return Delivery{};
    if (result.kind == POSTBUS_QUEUE_DONE) return Delivery(table, result.delivery);
    return queueError(result);
}

/// For a call that waits: told before it returns.
template <class T>
struct QueueWait {
    const postbus_queues* table;
    QueueResult<T> result = QueueError{};

    static void take(void* context, const postbus_queue_result* told) {
        auto& self = *static_cast<QueueWait*>(context);
        self.result = queueResult<T>(self.table, *told);
    }
};

}  // namespace sdk

inline Sent Delivery::acknowledgeNow() {
    postbus_delivery* const lent = std::exchange(lent_, nullptr);
    if (!lent) return QueueError{QueueError::Kind::NotFound, "the message is settled already"};
    sdk::QueueWait<void> wait{table_};
    table_->settle(lent, POSTBUS_SETTLE_DONE, {}, 1, sdk::QueueWait<void>::take, &wait);
    return std::move(wait.result);
}

}  // namespace POSTBUS_SDK_VISIBILITY
