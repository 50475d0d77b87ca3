#pragma once

#include <postbus/abi_queues.h>

namespace postbus::deployer {

/// The extension POSTBUS_QUEUES: how a plugin sends to queues and topics, and takes from them. For services that were
/// given queues.
const postbus_queues& queuesTable();

}  // namespace postbus::deployer
