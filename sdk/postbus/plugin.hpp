/// All that a plugin's author includes. Header-only C++20 on top of the C tables of abi.h; docs/writing-a-service.md
/// shows the way.
///
/// Compiled into the plugin with hidden visibility: two plugins, or two versions of one, never share a symbol of it. No
/// exception leaves a plugin by it, and no static object or thread_local of it keeps a plugin from being unloaded.
#pragma once

#include "abi.h"
#include "call.hpp"
#include "cancellation.hpp"
#include "element.hpp"
#include "fault.hpp"
#include "fields.hpp"
#include "glue.hpp"
#include "invoke.hpp"
#include "message.hpp"
#include "operation.hpp"
#include "queue.hpp"
#include "service.hpp"
#include "subscription.hpp"
#include "task.hpp"

#define POSTBUS_EXPORTED_ENTRY \
    extern "C" __attribute__((visibility("default"))) const postbus_plugin* postbus_plugin_entry_v1()

/// A plugin with one service: POSTBUS_SERVICE(Class, .name = "...", .ns = "...", ...), the names of ServiceInfo in its
/// order. The plugin's own name is the service's in lower case with hyphens.
#define POSTBUS_SERVICE(Class, ...)                                                                              \
    namespace {                                                                                                  \
    constexpr ::postbus::ServiceInfo postbusServiceInfo{__VA_ARGS__};                                            \
    constexpr ::std::string_view postbusPluginVersion =                                                          \
        postbusServiceInfo.version.empty() ? ::std::string_view("1.0.0") : postbusServiceInfo.version;           \
    using PostbusServiceGlue = ::postbus::sdk::ServiceGlue<Class, postbusServiceInfo, postbusPluginVersion>;     \
    constexpr ::postbus::sdk::FixedText postbusPluginName = ::postbus::sdk::kebabName(PostbusServiceGlue::name); \
    constexpr const postbus_service* postbusServices[] = {&PostbusServiceGlue::table};                           \
    constexpr postbus_plugin postbusPlugin{sizeof(postbus_plugin),                                               \
                                           POSTBUS_ABI_MAJOR,                                                    \
                                           POSTBUS_ABI_MINOR,                                                    \
                                           ::postbus::sdk::borrow(postbusPluginName.view()),                     \
                                           ::postbus::sdk::borrow(postbusPluginVersion),                         \
                                           postbusServices,                                                      \
                                           1};                                                                   \
    }                                                                                                            \
    POSTBUS_EXPORTED_ENTRY { return &postbusPlugin; }

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

/// The table of a plugin with several services.
template <const std::string_view& Name, const std::string_view& Version, class... Services>
struct PluginGlue {
    static_assert(isPluginName(Name), "a plugin's name is made of small letters, digits and '-'");
    static constexpr std::array<const postbus_service*, sizeof...(Services)> services{
        &ServiceGlue<Services, infoOf<Services>, Version>::table...};
    static constexpr postbus_plugin table{sizeof(postbus_plugin), POSTBUS_ABI_MAJOR, POSTBUS_ABI_MINOR,  borrow(Name),
                                          borrow(Version),        services.data(),   sizeof...(Services)};
};

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY

/// A plugin with several services: POSTBUS_PLUGIN("billing", "2.1.0", Invoices, Payments). Each class may have a
/// `static constexpr postbus::ServiceInfo info{...}`.
#define POSTBUS_PLUGIN(pluginName, pluginVersion, ...)                                                   \
    namespace {                                                                                          \
    constexpr ::std::string_view postbusPluginName = pluginName;                                         \
    constexpr ::std::string_view postbusPluginVersion = pluginVersion;                                   \
    }                                                                                                    \
    POSTBUS_EXPORTED_ENTRY {                                                                             \
        return &::postbus::sdk::PluginGlue<postbusPluginName, postbusPluginVersion, __VA_ARGS__>::table; \
    }
