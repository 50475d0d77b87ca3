#pragma once

#include <optional>
#include <string>

#include "plugins/deployer/engine.hpp"

namespace postbus::deployer {

/// An order that is being carried out.
struct Engine::OrderInHand {
    Order order;
    OrderDesk::Answer answer;
    std::string hash;  ///< of the bytes to deploy, once they are known
    Entry entry;       ///< what is to become of them
    bool changed = false;
    Outcome outcome;
};

}  // namespace postbus::deployer
