#pragma once

#include <future>
#include <mutex>
#include <vector>

#include "admin/management.hpp"

namespace postbus::server {

/// Brings wishes for a reload from the admin interface's workers to the main thread, and the outcome back.
class ReloadRequests {
public:
    ReloadRequests();
    ~ReloadRequests();
    ReloadRequests(const ReloadRequests&) = delete;
    ReloadRequests& operator=(const ReloadRequests&) = delete;

    /// Any thread; waits for the outcome.
    admin::ReloadReport ask();

    /// Readable when somebody asks.
    int descriptor() const { return descriptor_; }
    /// Main thread: gives all that have asked so far this outcome.
    using Waiting = std::vector<std::promise<admin::ReloadReport>>;
    Waiting take();
    static void answer(Waiting waiting, const admin::ReloadReport& report);
    /// From now on whoever asks, or has asked, is told no: the daemon stops.
    void close();

private:
    int descriptor_;
    std::mutex mutex_;
    Waiting waiting_;
    bool closed_ = false;
};

}  // namespace postbus::server
