#pragma once

#include <postbus/element.hpp>

#include <string_view>
#include <utility>
#include <vector>

#include "bindings/soap/version_shape.hpp"
#include "core/exchange/fault.hpp"
#include "core/message/wire.hpp"

namespace postbus::soap {

/// A fault as one version spells it: SOAP 1.1 section 4.4, SOAP 1.2 section 5.4.
struct FaultAnswer {
    Version version = Version::Soap11;
    Versions supported;                                                        ///< for Upgrade, at VersionMismatch
    std::vector<std::pair<std::string_view, std::string_view>> notUnderstood;  ///< uri and local name of headers
    std::string_view requestId;

    /// Into `memory`. Always well-formed: text that XML forbids is replaced, detail that is not well-formed is left
    /// out.
    core::WireAnswer write(const core::Fault& fault, Buffer memory) const;
};

/// HTTP's status for a fault. SOAP 1.1 knows 500 only (section 6.2), SOAP 1.2 gives Sender 400 (part 2, table 20); what
/// the transport itself turned away keeps its own.
int faultStatus(Version version, const core::Fault& fault);

}  // namespace postbus::soap
