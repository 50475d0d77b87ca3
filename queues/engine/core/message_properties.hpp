#pragma once

#include "queues/engine/message.hpp"
#include "queues/selector/selector.hpp"

namespace postbus::queues {

/// A message as a selector sees it: the header fields that JMS allows, AMQP's names for them, then its properties.
class MessageProperties : public SelectorProperties {
public:
    explicit MessageProperties(const Message& message) : message_(message) {}
    SelectorValue get(std::string_view name) const override;

private:
    const Message& message_;
};

}  // namespace postbus::queues
