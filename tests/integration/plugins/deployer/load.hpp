#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "bus_rig.hpp"

namespace postbus::test {

/// Two threads that call a path without pause, and remember what is none of the answers to be expected.
class Load {
public:
    /// `versions` in the order in which they may come.
    Load(BusRig& rig, const std::vector<std::string>& versions, std::string path = "/fixture");
    ~Load() { stop(); }

    void stop();
    std::uint64_t calls() const { return calls_; }
    /// The first answer that was neither, or nothing.
    std::string wrong() const;
    /// How often one thread got an earlier version after a later one.
    std::uint64_t backwards() const { return backwards_; }

private:
    void run();

    BusRig& rig_;
    std::map<std::string, std::size_t> order_;
    std::string path_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::uint64_t> calls_{0}, backwards_{0};
    mutable std::mutex mutex_;
    std::string wrong_;
    std::vector<std::thread> threads_;
};

/// What the bus logs while this is there.
class Log {
public:
    Log();
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    std::size_t count(const std::string& event) const;
    /// The first line of an event, or nothing.
    std::string line(const std::string& event) const;

private:
    std::vector<std::string> lines(const std::string& event) const;

    std::string path_;
    int file_;
};

}  // namespace postbus::test
