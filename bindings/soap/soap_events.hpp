#pragma once

#include "base/log/event.hpp"

namespace postbus::soap {

inline constexpr log::Event DetailMalformed{"soap.detail.malformed", log::Level::Warning,
                                            "A service failed a call with a detail that is not a sequence of "
                                            "well-formed XML elements. The caller got the fault "
                                            "without it. Mend the service."};

inline constexpr log::Event AnswerMalformed{
    "soap.answer.malformed", log::Level::Warning,
    "A service answered with something that XML can't carry, such as a control character or elements left open. The "
    "caller got a Server (Receiver) fault. Mend the service."};

}  // namespace postbus::soap
