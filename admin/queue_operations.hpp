#pragma once

#include <memory>

#include "admin/handover.hpp"
#include "admin/management.hpp"
#include "base/result.hpp"
#include "core/exchange/exchange.hpp"
#include "core/message/wire.hpp"
#include "formats/json/writer.hpp"

/// What people do with queues. All wait for the disk. The queue is named by the query, as are its other parameters;
/// docs/queues.md has them. An error is the request's: NotFound, Invalid, Unavailable ...
namespace postbus::admin {

Result<int> listQueues(Management& management, const core::WireRequest& request, json::Writer& json);
/// The request's body and media type are the message's.
Result<int> sendMessage(Management& management, const core::WireRequest& request, json::Writer& json);
/// Takes messages off; they are acknowledged once the caller's connection has taken them, and go back if it does not.
Result<std::shared_ptr<Handover>> receiveMessages(Management& management, core::Exchange& exchange);
Result<std::shared_ptr<Handover>> browseQueue(Management& management, core::Exchange& exchange);
Result<int> purgeQueue(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> moveMessages(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> retryMessages(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> pauseQueue(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> resumeQueue(Management& management, const core::WireRequest& request, json::Writer& json);
/// A queue, or a topic's subscription, with all its messages; or a topic. Unavailable while somebody takes from it.
Result<int> removeQueue(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> reopenQueues(Management& management, const core::WireRequest& request, json::Writer& json);

}  // namespace postbus::admin
