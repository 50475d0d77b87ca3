#pragma once

#include "base/log/event.hpp"

namespace postbus::deployer {

inline constexpr log::Event PluginActive{
    "plugin.active", log::Level::Info,
    "A plugin was loaded and its services answer. `millis` is what loading, starting and publishing took."};
inline constexpr log::Event PluginReplaced{
    "plugin.replaced", log::Level::Info,
    "A plugin's services are now those of another version. Calls that had begun end with the former one."};
inline constexpr log::Event PluginUndeployed{
    "plugin.undeployed", log::Level::Info,
    "A plugin's file went, or was hidden by a NAME.disabled: its services are no longer offered."};
inline constexpr log::Event PluginUnloaded{"plugin.unloaded", log::Level::Info,
                                           "The last call to a former version has ended, or a newcomer was turned "
                                           "down: it was stopped and is no longer mapped."};
inline constexpr log::Event PluginRefused{
    "plugin.refused", log::Level::Warning,
    "A file in the deploy folder was not taken, for the reason given; what served "
    "before goes on. Mend the file and copy "
    "it again. It is logged once for each content."};
inline constexpr log::Event PluginFailed{
    "plugin.failed", log::Level::Error,
    "A plugin could be loaded, but not started: its own start failed, for the reason "
    "that it logged. What served before "
    "goes on."};
inline constexpr log::Event PluginEntered{
    "plugin.state", log::Level::Debug,
    "A plugin file entered a state on its way to service or off it: pending, verifying, resolved, loading, starting, "
    "active, draining, stopping, unloaded, disabled, refused, failed, zombie. `postbus plugin changes` has the last."};
inline constexpr log::Event PluginOrdered{"plugin.ordered", log::Level::Info,
                                          "Somebody has had a plugin deployed, undeployed, rolled back, enabled or "
                                          "disabled by the admin interface; `outcome` "
                                          "is done, or why it was not."};
inline constexpr log::Event PluginPending{
    "plugin.pending", log::Level::Info,
    "A file is there, but can't be taken yet: someone still writes it, or the cache has no room. It is looked at again "
    "by itself."};
inline constexpr log::Event PluginUnchanged{
    "plugin.unchanged", log::Level::Debug, "A file was touched or copied again, with the content that serves already."};
inline constexpr log::Event PluginIgnored{"plugin.ignored", log::Level::Debug,
                                          "Something lies in the deploy folder that is no plugin file (*.so)."};
inline constexpr log::Event PluginWarning{
    "plugin.warning", log::Level::Warning,
    "A plugin was taken, but does something that makes it harder to replace. Tell its author."};
inline constexpr log::Event PluginUnloadOverdue{
    "plugin.unload.overdue", log::Level::Warning,
    "Calls to a former version have not ended within the drain time. It is kept, mapped, for as long as the bus runs."};
inline constexpr log::Event PluginUnloadFailed{
    "plugin.unload.failed", log::Level::Warning,
    "A former version was stopped, but its code stays mapped. The reason says what holds it; a restart frees it."};
inline constexpr log::Event PluginMisbehaved{
    "plugin.misbehaved", log::Level::Error,
    "A plugin broke the rules of its interface: it let an exception out, or gave a header field that is none. The call "
    "was answered all the same. Tell its author."};
inline constexpr log::Event FolderMissing{
    "plugin.folder.missing", log::Level::Warning,
    "The deploy folder is gone. What serves goes on; it is watched again as soon as it is back."};
inline constexpr log::Event FolderUnreadable{
    "plugin.folder.unreadable", log::Level::Warning,
    "The deploy folder is there, and can't be read for the reason given. What serves goes on; it is tried again all "
    "the "
    "time. With too many open files there is a descriptor too few in this process: raise its limit (LimitNOFILE)."};
inline constexpr log::Event FolderUnwatched{
    "plugin.folder.unwatched", log::Level::Warning,
    "The system gives no hints of changes in the deploy folder: they are noticed by a look every 5 seconds. Raise "
    "fs.inotify.max_user_watches or max_user_instances."};
inline constexpr log::Event DeployerBusy{
    "plugin.busy", log::Level::Warning,
    "A plugin's own start or stop takes long; until it returns no plugin is deployed "
    "or replaced. At the end of the bus "
    "it is not waited for."};
inline constexpr log::Event FolderWatched{"plugin.folder.watched", log::Level::Info,
                                          "The deploy folder is watched; what is copied there is served."};
inline constexpr log::Event FolderInsecure{
    "plugin.folder.insecure", log::Level::Error,
    "The deploy folder is not the bus's user's or root's, or others may write to it, and so run code in the bus: "
    "nothing "
    "is taken from it until that is mended (chown, chmod go-w). What serves goes on."};
inline constexpr log::Event PluginLogDebug{"plugin.log.debug", log::Level::Debug,
                                           "A plugin says something, in its own words."};
inline constexpr log::Event PluginLogInfo{"plugin.log.info", log::Level::Info,
                                          "A plugin says something, in its own words."};
inline constexpr log::Event PluginLogWarning{"plugin.log.warning", log::Level::Warning,
                                             "A plugin says something, in its own words."};
inline constexpr log::Event PluginLogError{"plugin.log.error", log::Level::Error,
                                           "A plugin says something, in its own words."};

}  // namespace postbus::deployer
