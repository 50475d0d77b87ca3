#pragma once

#include <postbus/fields.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

/// Structured events. Each has an id, a level and a meaning, written once, where it is defined; the operator's manual
/// (docs/reference/events.md) is made from these definitions, and tests ask for the id.
///
///     inline constexpr log::Event PluginRefused{"plugin.refused", log::Level::Warning,
///         "A file in the deploy folder was not taken; the version that serves stays. Mend the file and copy it
///         again."};
///     log::emit(PluginRefused, {{"file", name}, {"reason", reason}});
namespace postbus::log {

enum class Level { Debug, Info, Warning, Error };
constexpr auto enumerators(Level) {
    return std::array{enumerator("debug", Level::Debug), enumerator("info", Level::Info),
                      enumerator("warning", Level::Warning), enumerator("error", Level::Error)};
}

struct Event {
    std::string_view id;
    Level level;
    std::string_view meaning;  ///< what it means and what to do, for the manual
};

struct Field {
    using Value = std::variant<std::string_view, std::int64_t, double, bool>;
    std::string_view key;
    Value value;

    Field(std::string_view name, std::string_view text) : key(name), value(text) {}
    Field(std::string_view name, const std::string& text) : key(name), value(std::string_view(text)) {}
    Field(std::string_view name, const char* text) : key(name), value(std::string_view(text)) {}
    Field(std::string_view name, bool flag) : key(name), value(flag) {}
    Field(std::string_view name, double number) : key(name), value(number) {}
    template <class Integer>
    requires std::is_integral_v<Integer> Field(std::string_view name, Integer number)
        : key(name), value(static_cast<std::int64_t>(number)) {}
};

enum class Format { Text, Json };
constexpr auto enumerators(Format) {
    return std::array{enumerator("text", Format::Text), enumerator("json", Format::Json)};
}

struct Settings {
    Format format = Format::Text;
    Level level = Level::Info;
    int descriptor = 2;  ///< where lines go; borrowed
};

/// For the whole process; before threads start, and again at a reload.
void configure(const Settings& settings);

/// Writes one line, whole, from any thread. Control characters in values are escaped: no value can forge a line
/// (CWE-117). A line that can't be written is dropped: logging never stops the bus.
void emit(const Event& event, std::initializer_list<Field> fields = {});

class Sink;
/// Says in the log how many lines a sink has dropped, as soon as it takes some again. emit() does it for its own.
void tellDropped(Sink& sink);

/// The line without its end, as emit() writes it, for tests and for logs of other shape.
std::string render(const Event& event, std::initializer_list<Field> fields, Format format);

}  // namespace postbus::log
