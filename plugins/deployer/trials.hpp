#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "plugins/deployer/descriptor.hpp"
#include "plugins/deployer/probe.hpp"

namespace postbus::deployer {

/// Plugins that are being tried out, each in a process of its own and a few at once, while the deployer goes on: one
/// that does not come to an end keeps nobody waiting.
///
/// One thread's. Its end ends the trials that are under way.
class Trials {
public:
    /// `wake` is called on other threads, whenever a trial has ended.
    Trials(std::string program, std::function<void()> wake);
    ~Trials();
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    /// What came of the trial of `file`, once; nothing yet: it is under way, or waits for its turn.
    std::optional<Result<Identity>> ask(const std::string& file);
    /// Whether ask() has nothing to tell yet.
    bool pending(const std::string& file) const;
    /// Ends the trials of all others: nobody will ask.
    void keep(const std::set<std::string>& files);

private:
    struct Trial {
        Descriptor cancel;  // an eventfd
        std::thread thread;
        std::mutex mutex;
        std::optional<Result<Identity>> result;
    };
    static void end(Trial& trial);
    void begin(const std::string& file);
    void fill();

    const std::string program_;
    const std::function<void()> wake_;
    std::map<std::string, std::unique_ptr<Trial>> running_;
    std::deque<std::string> waiting_;
};

}  // namespace postbus::deployer
