#pragma once

#include "base/log/event.hpp"

namespace postbus::addressing {

inline constexpr log::Event AnswerUndelivered{
    "addressing.answer.undelivered", log::Level::Warning,
    "An answer could not be sent to the address that its request named in ReplyTo or FaultTo. With `kept` it lies in "
    "that queue, else it is lost: name a queue for such answers (interceptors: [{addressing: {undelivered: NAME}}])."};
inline constexpr log::Event FaultDropped{
    "addressing.fault.dropped", log::Level::Info,
    "A call failed, and its caller had asked, by the address `none` of WS-Addressing, to be told nothing."};

}  // namespace postbus::addressing
