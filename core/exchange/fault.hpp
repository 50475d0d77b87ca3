#pragma once

#include <string>

#include "base/error.hpp"

namespace postbus::core {

/// A conversation's bad end, in terms that no protocol owns. Bindings spell it in theirs.
struct Fault {
    enum class Code { Sender, Receiver, VersionMismatch, MustUnderstand };

    Code code = Code::Receiver;
    std::string reason;
    std::string detail;  ///< elements that stand by themselves, or nothing
    /// Where the fault came from, for transports that tell more than blame: 413, 415, 503 ...
    Error::Kind kind = Error::Kind::Internal;
    /// A finer code that a specification names, or nothing: its namespace and its name.
    std::string subcodeUri, subcode;
    std::string subsubcode;    ///< a finer one still, of the same namespace
    std::string headerBlocks;  ///< of the envelope: elements that stand by themselves
};

/// The one place that makes a fault of an error. Internal errors keep their text: who creates one leaves paths out.
Fault toFault(Error&& error);

}  // namespace postbus::core
