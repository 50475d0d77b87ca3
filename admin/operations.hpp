#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "admin/handover.hpp"
#include "admin/management.hpp"
#include "base/result.hpp"
#include "core/exchange/exchange.hpp"
#include "core/message/wire.hpp"
#include "formats/json/writer.hpp"

namespace postbus::admin {

/// One thing the admin interface can do: how it is asked over HTTP and what it answers, in JSON.
struct Operation {
    std::string_view method, path;
    std::string_view name;
    bool open;   ///< health: asked by probes that know no token
    bool waits;  ///< runs on a worker, not on the admin loop
    /// The HTTP status, or the error to answer.
    Result<int> (*run)(Management& management, const core::WireRequest& request, json::Writer& json);
    /// Instead of `run`, where an answer may be other than JSON in one piece: fills the exchange's draft. What it gives
    /// is to begin when the answer has been given, or null.
    Result<std::shared_ptr<Handover>> (*hand)(Management& management, core::Exchange& exchange) = nullptr;
};

/// All of them. An operation's place in here is its id.
std::span<const Operation> operations();

}  // namespace postbus::admin
