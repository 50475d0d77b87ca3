#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace postbus::xsd {

/// What a simple type's values are, as far as a reader or writer of values has to tell them apart.
enum class Kind : std::uint8_t {
    Text,  ///< everything that has no line of its own here
    Boolean,
    Integer,  ///< whole numbers of all sizes
    Decimal,
    Float,  ///< xs:float and xs:double
    Date,
    Time,
    DateTime,
    Base64,
    Hex,
    Any  ///< xs:anyType, xs:anySimpleType: whatever stands there
};

/// A simple type that XML Schema brings itself.
struct Builtin {
    std::string_view name;  ///< without a prefix: "int"
    Kind kind;
    bool list = false;               ///< NMTOKENS, IDREFS, ENTITIES
    std::string_view lowest = {};    ///< of integers; empty: no bound
    std::string_view highest = {};   ///< of integers; empty: no bound
    std::string_view example = "?";  ///< a value that is one
};

/// The type of that name in the namespace of XML Schema; null when there is none. anyType is among them.
const Builtin* findBuiltin(std::string_view name);

/// Refuses what is plainly no value of the type: letters for a number, 2026-13-01 for a date. White space around the
/// value is no fault. The message says what was expected: "expected a whole number (xs:int), got 'abc'".
Result<void> checkValue(const Builtin& type, std::string_view value);

/// `value` as a number of JSON (RFC 8259 section 6), digit for digit but for what JSON does not allow (a leading '+',
/// zeros, a bare '.'); empty when there is none: INF, NaN, or no number.
std::string jsonNumber(std::string_view value);

/// The value of an xs:boolean, or none.
std::optional<bool> booleanOf(std::string_view value);

/// Without white space at both ends.
std::string_view trimmed(std::string_view value);

}  // namespace postbus::xsd
