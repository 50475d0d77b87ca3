#pragma once

#include <string>
#include <string_view>

namespace postbus {

/// What went wrong and where, for a person to read. The message path passes these in Result; one function, toFault() in
/// core/exchange, makes a fault of them.
class Error {
public:
    /// Who has to act, and how a binding or transport shall answer.
    enum class Kind {
        Invalid,          ///< the sender's fault: malformed, not understood, not allowed
        Unauthorized,     ///< the caller did not say, or not prove, who it is
        Forbidden,        ///< the caller may not do this
        NotFound,         ///< no such path, endpoint or operation
        WrongMethod,      ///< there is something, but not for this method
        TooLarge,         ///< over a configured limit
        Unsupported,      ///< a media type, encoding or method this endpoint does not take
        VersionMismatch,  ///< SOAP 1.1 section 4.4.1, SOAP 1.2 section 5.4.7
        MustUnderstand,   ///< SOAP 1.1 section 4.2.3, SOAP 1.2 section 5.4.8
        Unavailable,      ///< not now; the caller may try again
        Timeout,          ///< the deadline passed
        BadGateway,       ///< somebody behind us failed: not reached, gone, not understood
        Internal,         ///< our fault
    };

    Error(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

    static Error invalid(std::string message) { return {Kind::Invalid, std::move(message)}; }
    static Error internal(std::string message) { return {Kind::Internal, std::move(message)}; }

    Kind kind() const { return kind_; }
    const std::string& message() const { return message_; }

    /// The same error with the place put before its text: error.in("SOAP body").
    Error in(std::string_view place) && {
        message_.insert(0, ": ").insert(0, place);
        return std::move(*this);
    }

private:
    Kind kind_;
    std::string message_;
};

}  // namespace postbus
