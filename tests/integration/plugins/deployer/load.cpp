#include "load.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/log/event.hpp"

namespace postbus::test {

Load::Load(BusRig& rig, const std::vector<std::string>& versions, std::string path)
    : rig_(rig), path_(std::move(path)) {
    for (const auto& each : versions) order_.emplace(each, order_.size());
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { run(); });
    while (calls_ < 10) std::this_thread::yield();
}

void Load::run() {
    Caller caller(rig_);
    std::size_t latest = 0;
    while (!stopping_) {
        const std::string answer = caller.call(path_);
        ++calls_;
        const auto known = order_.find(answer);
        if (known == order_.end()) {
            std::lock_guard lock(mutex_);
            if (wrong_.empty()) wrong_ = answer.empty() ? "an empty answer" : answer;
            continue;
        }
        if (known->second < latest) ++backwards_;
        latest = known->second;
        // Not to starve the deployer on a small machine.
        if (calls_ % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

void Load::stop() {
    stopping_ = true;
    for (auto& each : threads_)
        if (each.joinable()) each.join();
}

std::string Load::wrong() const {
    std::lock_guard lock(mutex_);
    return wrong_;
}

Log::Log() {
    std::string pattern = (std::filesystem::temp_directory_path() / "postbus-log-XXXXXX").string();
    file_ = mkstemp(pattern.data());
    path_ = pattern;
    log::Settings settings;
    settings.descriptor = file_;
    log::configure(settings);
}

Log::~Log() {
    // The descriptor stays: another thread may be in the middle of a line.
    log::configure({});
    unlink(path_.c_str());
}

std::vector<std::string> Log::lines(const std::string& event) const {
    std::ifstream in(path_);
    std::vector<std::string> found;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string time, level, id;
        words >> time >> level >> id;
        if (id == event) found.push_back(line);
    }
    return found;
}

std::size_t Log::count(const std::string& event) const { return lines(event).size(); }

std::string Log::line(const std::string& event) const {
    const auto all = lines(event);
    return all.empty() ? "" : all.front();
}

}  // namespace postbus::test
