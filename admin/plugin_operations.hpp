#pragma once

#include "admin/management.hpp"
#include "base/result.hpp"
#include "core/message/wire.hpp"
#include "formats/json/writer.hpp"

/// What people do with plugins. The plugin, or the file's name, is the query's `name`; docs/plugins.md has the rest.
namespace postbus::admin {

/// What there is, and in which state.
Result<int> listPlugins(Management& management, const core::WireRequest& request, json::Writer& json);
/// What became of them: the last changes of state.
Result<int> listPluginChanges(Management& management, const core::WireRequest& request, json::Writer& json);

// These answer when it is so, or was refused.
/// The request's body is the file.
Result<int> deployPlugin(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> undeployPlugin(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> rollBackPlugin(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> enablePlugin(Management& management, const core::WireRequest& request, json::Writer& json);
Result<int> disablePlugin(Management& management, const core::WireRequest& request, json::Writer& json);

}  // namespace postbus::admin
