#include "transports/http/loop/access_lines.hpp"

#include <atomic>
#include <charconv>
#include <ctime>

#include "base/log/event.hpp"
#include "base/log/sink.hpp"
#include "base/utf8.hpp"
#include "transports/http/access_log.hpp"

namespace postbus::http {
namespace {

std::atomic<bool> enabled_{true}, json_{false};
constinit log::Sink sink_;

constexpr std::size_t enough = 16 * 1024;

void digits(char* at, int width, std::int64_t number) {
    for (int i = width - 1; i >= 0; --i, number /= 10) at[i] = static_cast<char>('0' + number % 10);
}

void appendNumber(Buffer& out, std::uint64_t number) {
    char text[20];
    const char* end = std::to_chars(text, text + sizeof text, number).ptr;
    out.append({text, static_cast<std::size_t>(end - text)});
}

/// Printable ASCII that needs no escape in either form. Blanks do: they part the fields of a text line.
bool plain(std::string_view text) {
    for (const char c : text)
        if (c <= 0x20 || c == 0x7f || c == '"' || c == '\\') return false;
    return true;
}

void appendEscaped(Buffer& out, std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x80) {
            const std::size_t length = utf8Sequence(text.substr(i));
            const bool control = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
            out.append(length == 0 || control ? "\\ufffd" : text.substr(i, length));
            i += length ? length : 1;
            continue;
        }
        if (byte <= 0x20 || byte == 0x7f) {
            out.append("\\u00");
            out.append(hex[byte >> 4]);
            out.append(hex[byte & 15]);
        } else {
            if (byte == '"' || byte == '\\') out.append('\\');
            out.append(text[i]);
        }
        ++i;
    }
}

void appendValue(Buffer& out, std::string_view text) {
    if (text.empty())
        out.append('-');
    else if (plain(text))
        out.append(text);
    else
        appendEscaped(out, text);
}

void appendMember(Buffer& out, std::string_view name, std::string_view text) {
    out.append(name);
    if (plain(text))
        out.append(text);
    else
        appendEscaped(out, text);
    out.append('"');
}

}  // namespace

void configureAccessLog(const AccessLogSettings& settings) {
    json_ = settings.json;
    sink_.use(settings.descriptor);
    enabled_ = settings.enabled;
}

bool AccessLines::enabled() { return enabled_.load(std::memory_order_relaxed); }

bool AccessLines::add(const AccessEntry& entry) {
    const bool first = lines_.empty();
    if (json_.load(std::memory_order_relaxed))
        json(entry);
    else
        text(entry);
    if (lines_.size() >= enough) flush();
    return first && !lines_.empty();
}

void AccessLines::flush() {
    sink_.write(lines_.view());
    log::tellDropped(sink_);
    lines_.clear();
}

/// 2026-01-02T03:04:05.678Z; made anew only where it changed.
std::string_view AccessLines::time() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (now.tv_sec != second_) {
        second_ = now.tv_sec;
        tm parts{};
        gmtime_r(&now.tv_sec, &parts);
        std::memcpy(time_, "yyyy-mm-ddThh:mm:ss.000Z", sizeof time_);
        digits(time_, 4, parts.tm_year + 1900);
        digits(time_ + 5, 2, parts.tm_mon + 1);
        digits(time_ + 8, 2, parts.tm_mday);
        digits(time_ + 11, 2, parts.tm_hour);
        digits(time_ + 14, 2, parts.tm_min);
        digits(time_ + 17, 2, parts.tm_sec);
    }
    const std::int64_t millisecond = now.tv_nsec / 1'000'000;
    if (millisecond != millisecond_) digits(time_ + 20, 3, millisecond_ = millisecond);
    return {time_, sizeof time_};
}

void AccessLines::text(const AccessEntry& entry) {
    lines_.append(time());
    lines_.append(' ');
    lines_.append(entry.peer);  // an address: ours, or checked to be one
    for (const std::string_view each : {entry.method, entry.path}) {
        lines_.append(' ');
        appendValue(lines_, each);
    }
    lines_.append(' ');
    appendNumber(lines_, static_cast<std::uint64_t>(entry.status));
    lines_.append(' ');
    appendNumber(lines_, entry.bytes);
    lines_.append(' ');
    appendNumber(lines_, static_cast<std::uint64_t>(entry.duration.count()));
    lines_.append("us ");
    lines_.append(entry.requestId);
    for (const std::string_view each : {entry.endpoint, entry.operation}) {
        lines_.append(' ');
        appendValue(lines_, each);
    }
    lines_.append('\n');
}

void AccessLines::json(const AccessEntry& entry) {
    appendMember(lines_, R"({"time":")", time());
    appendMember(lines_, R"(,"peer":")", entry.peer);
    appendMember(lines_, R"(,"method":")", entry.method);
    appendMember(lines_, R"(,"path":")", entry.path);
    lines_.append(R"(,"status":)");
    appendNumber(lines_, static_cast<std::uint64_t>(entry.status));
    lines_.append(R"(,"bytes":)");
    appendNumber(lines_, entry.bytes);
    lines_.append(R"(,"us":)");
    appendNumber(lines_, static_cast<std::uint64_t>(entry.duration.count()));
    appendMember(lines_, R"(,"request":")", entry.requestId);
    if (!entry.endpoint.empty()) appendMember(lines_, R"(,"endpoint":")", entry.endpoint);
    if (!entry.operation.empty()) appendMember(lines_, R"(,"operation":")", entry.operation);
    lines_.append("}\n");
}

}  // namespace postbus::http
