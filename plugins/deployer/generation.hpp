#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/lane_counter.hpp"
#include "base/result.hpp"
#include "plugins/deployer/deployer.hpp"
#include "plugins/deployer/library.hpp"
#include "plugins/deployer/service.hpp"

namespace postbus::deployer {

/// One loading of one content of one plugin: its code, its services, started.
///
/// Made, stopped and unloaded by the deployer's thread; used by any thread that holds it.
class Generation {
public:
    /// Loads the copy and starts its services, all or none. Internal errors are the plugin's own start; others speak of
    /// the file. Says when its code is there and it is about to start.
    static Result<std::unique_ptr<Generation>> load(
        std::string copy, Origin origin, const std::function<void()>& starting = [] {});
    ~Generation();

    const std::string& plugin() const { return origin_.plugin; }
    const std::string& version() const { return origin_.version; }
    const std::string& copy() const { return copy_; }
    /// Its services, each with a share in `self`, which points to this.
    std::vector<ActiveService> services(const std::shared_ptr<Generation>& self) const;
    std::vector<std::string> serviceNames() const;
    bool has(std::string_view service) const;

    /// Whether a thread has a frame of its code on the stack still, or is to be called there. Once nobody holds it any
    /// more, and it has been false, it stays so.
    bool entered() const { return inside_.count() != 0; }
    /// Its services may take messages, if they have subscribed to any.
    void takeMessages();
    /// They are handed no more messages.
    void leaveQueues();
    /// What they still work on goes back to its queues.
    void giveUpMessages();
    /// Stops and destroys the services. Once, when nobody holds it and nobody is in it.
    void stop();
    /// Gives the code back; false when it stays mapped. After stop().
    bool unload();
    /// Leaves code and services as they are: someone may be in them for ever.
    void abandon();

    Generation* next = nullptr;  ///< the reaper's

private:
    Generation(Library library, Origin origin);
    Result<void> start();

    Origin origin_;
    std::string copy_;
    Library library_;
    LaneCounter inside_;
    std::vector<std::unique_ptr<Service>> services_;  // the started ones
};

}  // namespace postbus::deployer
