#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "config/node.hpp"
#include "config/quantities.hpp"

/// One scalar into one value; errors say what was expected and what to write instead. Numbers and booleans in quotes
/// are texts, and refused.
namespace postbus::config {

Result<std::string> textOf(const Node& node);
/// true, false, on, off, yes, no.
Result<bool> boolOf(const Node& node);
/// Decimal digits, with a sign when negative; no leading zero, which YAML 1.1 takes for octal.
Result<std::int64_t> signedOf(const Node& node, std::int64_t least, std::int64_t most);
Result<std::uint64_t> unsignedOf(const Node& node, std::uint64_t most);
/// Finite.
Result<double> doubleOf(const Node& node);
/// As quantities.hpp reads their texts.
Result<milliseconds> durationOf(const Node& node);
Result<ByteSize> byteSizeOf(const Node& node);
/// The index of the text in `names`.
Result<std::size_t> choiceOf(const Node& node, std::span<const std::string_view> names);

}  // namespace postbus::config
