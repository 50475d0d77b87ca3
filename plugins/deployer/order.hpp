#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "plugins/deployer/plugin_state.hpp"

namespace postbus::deployer {

/// What an operator asks of the deployer.
struct Order {
    enum class Kind {
        Deploy,    ///< puts a file to service, and into the folder once it serves
        Undeploy,  ///< takes a plugin's files out of the folder
        Rollback,  ///< puts the content to service that served before the present one
        Enable,    ///< takes away what hides a plugin
        Disable    ///< hides it, by NAME.disabled
    };
    Kind kind = Kind::Deploy;
    std::string name;   ///< the plugin's; of Deploy the file's
    std::string bytes;  ///< of Deploy: the file's
};

/// What an order that was carried out has led to.
struct OrderDone {
    std::string plugin, version, file;  ///< what serves now; without a version nothing does
    std::string former;                 ///< the version that served before, or empty
    PluginState state = PluginState::Active;
    bool bundled = false;
    bool unchanged = false;  ///< it was so before
};

/// Orders on their way to the deployer's thread, and their outcomes on the way back. Thread-safe.
class OrderDesk {
public:
    using Answer = std::function<void(Result<OrderDone>)>;
    struct Handed {
        Order order;
        Answer answer;  ///< to be called once
    };

    /// Waits for the outcome; Timeout when it has not come by `until`: it may come later. `wake` has the other side
    /// look.
    Result<OrderDone> ask(Order order, TimePoint until, const std::function<void()>& wake);
    /// Those that came since.
    std::deque<Handed> take();
    /// From now on, and for those that wait: there is nobody to carry them out.
    void close();

private:
    std::mutex mutex_;
    std::deque<Handed> handed_;
    bool closed_ = false;
};

}  // namespace postbus::deployer
