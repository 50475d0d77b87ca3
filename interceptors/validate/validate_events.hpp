#pragma once

#include "base/log/event.hpp"

namespace postbus::validate {

inline constexpr log::Event SchemaRefused{
    "validate.schema.refused", log::Level::Error,
    "An endpoint is to validate its messages, and the schema of its contract can't be used, for the reason given. All "
    "its requests are refused. Mend the service's WSDL, or take `validate` from the endpoint's interceptors."};
inline constexpr log::Event AnswerInvalid{
    "validate.answer.invalid", log::Level::Warning,
    "A service's answer does not hold its own contract; the caller got a Server (Receiver) fault instead. Mend the "
    "service, or its WSDL."};

}  // namespace postbus::validate
