#pragma once

#include <cstdint>
#include <memory>

#include "admin/handover.hpp"
#include "admin/query.hpp"
#include "admin/queue_json.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "core/exchange/exchange.hpp"

namespace postbus::admin {

/// Bytes of bodies that one answer in JSON has at most; a message that is larger comes alone.
inline constexpr ByteSize mostBodies = 64_MiB;

/// Whether the body is wanted as it is: body=raw. Invalid for what is neither that nor json.
Result<bool> wantsRaw(const Query& query);

/// Drafts an answer whose body is the message's, which `message` keeps; there is nothing to show: 204.
Result<std::shared_ptr<Handover>> answerRaw(core::Exchange& exchange, const ShownMessage& shown,
                                            std::shared_ptr<const queues::Message> message, Handover::Confirm confirm);
void answerNothing(core::Exchange& exchange);

}  // namespace postbus::admin
