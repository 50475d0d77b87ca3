#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/buffer.hpp"
#include "base/result.hpp"

namespace postbus::addressing {

/// An answer, or a fault, on its way to an address that its request named.
struct SentAnswer {
    std::string address;
    std::string_view contentType;  ///< valid during send() only
    std::string_view action;       ///< likewise
    std::string_view relatesTo;    ///< likewise; empty where the request had no MessageID
    std::string_view requestId;    ///< likewise; of the exchange
    std::uint8_t hops = 0;         ///< of the exchange: the receiver counts on
    Buffer body;
    bool isFault = false;
};

/// Takes answers to where they are due. Any thread.
class AnswerSender {
public:
    virtual ~AnswerSender() = default;

    using Done = std::function<void(Result<void>)>;
    /// `done` is called once, on any thread, perhaps before this returns: with success when the receiver, or a store
    /// that lasts, has the answer.
    virtual void send(SentAnswer&& answer, Done done) = 0;
    /// Keeps in `queue` what could not be sent, with the reason.
    virtual void keep(std::string_view queue, SentAnswer&& answer, std::string_view reason, Done done) = 0;
};

}  // namespace postbus::addressing
