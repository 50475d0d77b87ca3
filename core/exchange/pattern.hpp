#pragma once

#include <postbus/abi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace postbus::core {

/// The message exchange patterns of WSDL 2.0 (Adjuncts section 2; the out-first ones are in the note "Additional
/// MEPs"). In and Out as the service sees them. The numbers are those of <postbus/abi.h>.
enum class Pattern : std::uint8_t {
    InOnly = POSTBUS_MEP_IN_ONLY,
    RobustInOnly = POSTBUS_MEP_ROBUST_IN_ONLY,
    InOut = POSTBUS_MEP_IN_OUT,
    InOptionalOut = POSTBUS_MEP_IN_OPTIONAL_OUT,
    OutOnly = POSTBUS_MEP_OUT_ONLY,
    RobustOutOnly = POSTBUS_MEP_ROBUST_OUT_ONLY,
    OutIn = POSTBUS_MEP_OUT_IN,
    OutOptionalIn = POSTBUS_MEP_OUT_OPTIONAL_IN
};

inline constexpr std::array everyPattern{Pattern::InOnly,        Pattern::RobustInOnly, Pattern::InOut,
                                         Pattern::InOptionalOut, Pattern::OutOnly,      Pattern::RobustOutOnly,
                                         Pattern::OutIn,         Pattern::OutOptionalIn};

/// What a pattern says of its faults (WSDL 2.0 Adjuncts section 2.2).
enum class FaultRule : std::uint8_t { None, TriggeredByMessage, ReplacesMessage };

/// Whether a second message answers the first.
enum class Second : std::uint8_t { None, Optional, Required };

struct PatternRules {
    bool serviceFirst;  ///< the bus speaks first: the first message is an Out
    Second second;
    FaultRule faults;
};
inline constexpr std::array<PatternRules, 8> patternRules{{
    {false, Second::None, FaultRule::None},                    // InOnly
    {false, Second::None, FaultRule::TriggeredByMessage},      // RobustInOnly
    {false, Second::Required, FaultRule::ReplacesMessage},     // InOut
    {false, Second::Optional, FaultRule::TriggeredByMessage},  // InOptionalOut
    {true, Second::None, FaultRule::None},                     // OutOnly
    {true, Second::None, FaultRule::TriggeredByMessage},       // RobustOutOnly
    {true, Second::Required, FaultRule::ReplacesMessage},      // OutIn
    {true, Second::Optional, FaultRule::TriggeredByMessage},   // OutOptionalIn
}};
constexpr const PatternRules& rulesOf(Pattern pattern) { return patternRules[static_cast<std::size_t>(pattern) - 1]; }

/// The same conversation as the other side sees it: out-in for in-out, and so on.
Pattern mirrorOf(Pattern pattern);

/// The URI of WSDL 2.0: http://www.w3.org/ns/wsdl/in-out.
std::string_view uriOf(Pattern pattern);
/// The name of the normalised message router: InOut.
std::string_view nameOf(Pattern pattern);
/// By URI, of the recommendation or one of its drafts (http://www.w3.org/2004/03/wsdl/, 2004/08, 2005/05, 2006/01), by
/// NMR name (InOptOut too) or by the last part of the URI alone (in-opt-out).
std::optional<Pattern> patternNamed(std::string_view name);

}  // namespace postbus::core
