#include "base/log/event.hpp"

#include <atomic>
#include <cstdio>
#include <ctime>

#include "base/log/log_events.hpp"
#include "base/log/sink.hpp"
#include "base/utf8.hpp"

namespace postbus::log {
namespace {

std::atomic<Format> format_{Format::Text};
std::atomic<Level> level_{Level::Info};
constinit Sink sink_;

constexpr std::string_view names[] = {"debug", "info", "warning", "error"};

void appendEscaped(std::string& line, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) {
            // A line is UTF-8 whatever a caller sent; C1 controls count as controls.
            const std::size_t length = utf8Sequence(text.substr(i));
            const bool control = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
            line += length == 0 || control ? "\\ufffd" : text.substr(i, length);
            i += length ? length - 1 : 0;
        } else if (c == '"' || c == '\\') {
            line += '\\';
            line += c;
        } else if (c == '\n') {
            line += "\\n";
        } else if (byte < 0x20 || byte == 0x7f) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
            line += escaped;
        } else {
            line += c;
        }
    }
}

bool plain(std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text)
        if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f || c == '"' || c == '=' ||
            c == '\\')
            return false;
    return true;
}

void appendValue(std::string& line, const Field::Value& value, Format format) {
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        if (format == Format::Text && plain(*text)) {
            line += *text;
            return;
        }
        line += '"';
        appendEscaped(line, *text);
        line += '"';
    } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
        line += std::to_string(*number);
    } else if (const auto* real = std::get_if<double>(&value)) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%g", *real);
        line += digits;
    } else {
        line += std::get<bool>(value) ? "true" : "false";
    }
}

void appendTime(std::string& line) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    tm parts{};
    gmtime_r(&now.tv_sec, &parts);
    char text[40];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(text + length, sizeof text - length, ".%03ldZ", now.tv_nsec / 1'000'000);
    line += text;
}

}  // namespace

void configure(const Settings& settings) {
    format_ = settings.format;
    level_ = settings.level;
    sink_.use(settings.descriptor);
}

std::string render(const Event& event, std::initializer_list<Field> fields, Format format) {
    std::string line;
    line.reserve(160);
    const std::string_view level = names[static_cast<int>(event.level)];
    if (format == Format::Text) {
        appendTime(line);
        ((line += ' ') += level) += ' ';
        line += event.id;
        for (const Field& each : fields) {
            ((line += ' ') += each.key) += '=';
            appendValue(line, each.value, format);
        }
        return line;
    }
    line += R"({"time":")";
    appendTime(line);
    ((((line += R"(","level":")") += level) += R"(","event":")") += event.id) += '"';
    for (const Field& each : fields) {
        ((line += R"(,")") += each.key) += R"(":)";
        appendValue(line, each.value, format);
    }
    return line += '}';
}

void emit(const Event& event, std::initializer_list<Field> fields) {
    if (event.level < level_.load(std::memory_order_relaxed)) return;
    std::string line = render(event, fields, format_.load(std::memory_order_relaxed));
    line += '\n';
    sink_.write(line);
    tellDropped(sink_);
}

void tellDropped(Sink& sink) {
    const std::uint64_t lines = sink.takeDropped();
    if (lines == 0 || LinesDropped.level < level_.load(std::memory_order_relaxed)) return;
    sink_.write(render(LinesDropped, {{"lines", lines}}, format_.load(std::memory_order_relaxed)) + '\n');
}

}  // namespace postbus::log
