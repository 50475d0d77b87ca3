#include "queues/engine/core/codec.hpp"

#include <cstring>
#include <type_traits>

namespace postbus::queues {
namespace {

constexpr char kVersion = 1;

class Writer {
public:
    Writer() : bytes_(1, kVersion) {}
    template <class Number>
    requires std::is_arithmetic_v<Number> Writer& operator()(const Number& number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
        return *this;
    }
    Writer& operator()(const std::string& text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        bytes_ += text;
        return *this;
    }
    Writer& operator()(const milliseconds& time) { return (*this)(static_cast<std::int64_t>(time.count())); }
    Writer& operator()(const ByteSize& size) { return (*this)(size.bytes); }
    Writer& operator()(const Overflow& policy) { return (*this)(static_cast<std::uint8_t>(policy)); }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {
        char version = 0;
        (*this)(version);
        good_ = good_ && version == kVersion;
    }
    template <class Number>
    requires std::is_arithmetic_v<Number> Reader& operator()(Number& number) {
        if (bytes_.size() < sizeof number) {
            good_ = false;
        } else {
            std::memcpy(&number, bytes_.data(), sizeof number);
            bytes_.remove_prefix(sizeof number);
        }
        return *this;
    }
    Reader& operator()(std::string& text) {
        std::uint32_t size = 0;
        (*this)(size);
        if (bytes_.size() < size) good_ = false;
        if (!good_) return *this;
        text.assign(bytes_.substr(0, size));
        bytes_.remove_prefix(size);
        return *this;
    }
    Reader& operator()(milliseconds& time) {
        std::int64_t count = 0;
        (*this)(count);
        time = milliseconds(count);
        return *this;
    }
    Reader& operator()(ByteSize& size) { return (*this)(size.bytes); }
    Reader& operator()(Overflow& policy) {
        std::uint8_t number = 0;
        (*this)(number);
        policy = static_cast<Overflow>(number);
        return *this;
    }
    bool done() const { return good_ && bytes_.empty(); }
    bool good() const { return good_; }

private:
    std::string_view bytes_;
    bool good_ = true;
};

// One list of members for both ways.
template <class Way, class Note>
void members(Way& way, Note& note, DeadLetter*) {
    way(note.origin)(note.reason)(note.attempts)(note.at);
}

template <class Way, class M>
void members(Way& way, M& message, Message*) {
    way(message.id)(message.correlationId)(message.replyTo)(message.type)(message.contentType)(message.userId);
    way(message.group)(message.groupSequence)(message.priority)(message.persistent)(message.timeToLive);
    way(message.delay)(message.duplicateKey)(message.timestamp)(message.expires);
}

template <class Way, class Record>
void members(Way& way, Record& record, QueueRecord*) {
    auto& settings = record.settings;
    way(settings.maxDeliveries)(settings.redeliveryDelay)(settings.redeliveryMultiplier)(settings.maxRedeliveryDelay);
    way(settings.deadLetter)(settings.expiry)(settings.timeToLive)(settings.maxMessages)(settings.maxBytes);
    way(settings.maxMessageSize)(settings.memory)(settings.overflow)(settings.exclusive)(settings.duplicateWindow);
    way(settings.duplicateTime)(record.pausedIn)(record.pausedOut)(record.topic)(record.topicName)(record.clientId);
    auto& subscription = record.subscription;
    way(subscription.name)(subscription.durable)(subscription.shared)(subscription.noLocal)(subscription.selector);
}

template <class T>
std::optional<T> decodeAll(std::string_view bytes) {
    Reader reader(bytes);
    T value;
    members(reader, value, static_cast<T*>(nullptr));
    if (!reader.done()) return std::nullopt;
    return value;
}

template <class T>
std::string encodeAll(const T& value) {
    Writer writer;
    members(writer, value, static_cast<T*>(nullptr));
    return writer.take();
}

}  // namespace

std::string encodeHead(const Message& message) {
    Writer writer;
    members(writer, message, static_cast<Message*>(nullptr));
    writer(static_cast<std::uint32_t>(message.properties.size()));
    for (const Property& each : message.properties) {
        writer(each.name)(static_cast<std::uint8_t>(each.value.index()));
        std::visit([&writer](const auto& value) { writer(value); }, each.value);
    }
    return writer.take();
}

std::optional<Message> decodeHead(std::string_view bytes) {
    Reader reader(bytes);
    Message message;
    members(reader, message, static_cast<Message*>(nullptr));
    std::uint32_t count = 0;
    reader(count);
    for (std::uint32_t i = 0; i < count && reader.good(); ++i) {
        Property& property = message.properties.emplace_back();
        std::uint8_t kind = 0;
        reader(property.name)(kind);
        const auto read = [&](auto value) {
            reader(value);
            property.value = std::move(value);
        };
        switch (kind) {
            case 0:
                read(false);
                break;
            case 1:
                read(std::int64_t{});
                break;
            case 2:
                read(0.0);
                break;
            case 3:
                read(std::string());
                break;
            default:
                return std::nullopt;
        }
    }
    if (!reader.done()) return std::nullopt;
    return message;
}

std::string encode(const DeadLetter& note) { return encodeAll(note); }
std::optional<DeadLetter> decodeNote(std::string_view bytes) { return decodeAll<DeadLetter>(bytes); }
std::string encode(const QueueRecord& record) { return encodeAll(record); }
std::optional<QueueRecord> decodeRecord(std::string_view bytes) { return decodeAll<QueueRecord>(bytes); }

}  // namespace postbus::queues
