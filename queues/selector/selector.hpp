#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"

namespace postbus::queues {

/// What a selector sees of a property: nothing, or a value of one of JMS's kinds (integers of all widths are one,
/// floats another).
using SelectorValue = std::variant<std::monostate, bool, std::int64_t, double, std::string_view>;

/// The properties and header fields of one message, by name. Text must live until the selector has been evaluated.
class SelectorProperties {
public:
    virtual ~SelectorProperties() = default;
    virtual SelectorValue get(std::string_view name) const = 0;
};

/// A message selector of JMS 2.0 (section 3.8.1), compiled: JMSPriority > 5 AND region IN ('north', 'west').
///
/// Logic has three values; a message is selected when the outcome is true, not when it is unknown. Comparing values of
/// different kinds is false: no text becomes a number. Text and booleans know only = and <>; text in order, or in
/// arithmetic, is refused here where it is a literal, and unknown or false where it comes from a message. `_` of LIKE
/// stands for one character of UTF-8. Integers that overflow go on as floats; to divide an integer by zero is unknown.
///
/// A value: copies share the compiled form. Thread-safe; matches() allocates nothing.
class Selector {
public:
    static constexpr std::size_t kMaxLength = 8192;
    static constexpr unsigned kMaxDepth = 64;
    static constexpr std::size_t kMaxPattern = 1024;

    /// The Error says what was expected and at which character. Blank text selects everything.
    static Result<Selector> compile(std::string_view text);
    Selector() = default;  ///< everything

    bool matches(const SelectorProperties& properties) const;
    bool selectsAll() const { return !program_; }
    const std::string& text() const;

private:
    struct Program;
    explicit Selector(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

    std::shared_ptr<const Program> program_;
};

}  // namespace postbus::queues
