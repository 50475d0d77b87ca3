#include "core/exchange/fault.hpp"

#include <utility>

namespace postbus::core {

Fault toFault(Error&& error) {
    Fault fault;
    fault.kind = error.kind();
    fault.reason = error.message();
    switch (error.kind()) {
        case Error::Kind::VersionMismatch:
            fault.code = Fault::Code::VersionMismatch;
            break;
        case Error::Kind::MustUnderstand:
            fault.code = Fault::Code::MustUnderstand;
            break;
        case Error::Kind::Unavailable:
        case Error::Kind::Timeout:
        case Error::Kind::BadGateway:
        case Error::Kind::Internal:
            fault.code = Fault::Code::Receiver;
            break;
        default:
            fault.code = Fault::Code::Sender;
            break;
    }
    return fault;
}

}  // namespace postbus::core
