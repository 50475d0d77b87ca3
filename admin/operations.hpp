#pragma once

#include <span>
#include <string_view>

#include "admin/management.hpp"
#include "formats/json/writer.hpp"

namespace postbus::admin {

/// One thing the admin interface can do: how it is asked over HTTP and what it answers, in JSON.
struct Operation {
    std::string_view method, path;
    std::string_view name;
    bool open;                                               ///< health: asked by probes that know no token
    bool waits;                                              ///< runs on a worker, not on the admin loop
    int (*run)(Management& management, json::Writer& json);  ///< the HTTP status
};

/// All of them. An operation's place in here is its id.
std::span<const Operation> operations();

}  // namespace postbus::admin
