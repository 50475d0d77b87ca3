#pragma once

#include "base/result.hpp"
#include "core/exchange/exchange.hpp"

namespace postbus::soap {

/// An answer that a service gave as bytes: the content of the Body, as it is, in UTF-8. A byte order mark and an XML
/// declaration in front of it are taken off. The content type that the service may have set has no say: a SOAP caller
/// gets SOAP. Invalid when the bytes are not well-formed elements; a service that answers JSON here is told so.
Result<void> checkRawAnswer(core::AnswerDraft& draft);

}  // namespace postbus::soap
