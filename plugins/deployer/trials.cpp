#include "plugins/deployer/trials.hpp"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace postbus::deployer {
namespace {

constexpr std::size_t atOnce = 4;
constexpr milliseconds limit{2'000}, patientLimit{8'000};

}  // namespace

Trials::Trials(std::string program, std::function<void()> wake)
    : program_(std::move(program)), wake_(std::move(wake)) {}

Trials::~Trials() {
    for (auto& [file, trial] : running_) end(*trial);
}

std::optional<Result<Identity>> Trials::ask(const std::string& file) {
    const auto found = running_.find(file);
    if (found == running_.end()) {
        if (std::find(waiting_.begin(), waiting_.end(), file) == waiting_.end()) waiting_.push_back(file);
        fill();
        return std::nullopt;
    }
    std::optional<Result<Identity>> result;
    {
        const std::lock_guard lock(found->second->mutex);
        if (!found->second->result) return std::nullopt;
        result = std::move(found->second->result);
    }
    found->second->thread.join();
    running_.erase(found);
    fill();
    return result;
}

bool Trials::pending(const std::string& file) const {
    const auto found = running_.find(file);
    if (found == running_.end()) return std::find(waiting_.begin(), waiting_.end(), file) != waiting_.end();
    const std::lock_guard lock(found->second->mutex);
    return !found->second->result;
}

void Trials::keep(const std::set<std::string>& files) {
    std::erase_if(waiting_, [&](const std::string& each) { return !files.contains(each); });
    for (auto each = running_.begin(); each != running_.end();) {
        if (files.contains(each->first)) {
            ++each;
            continue;
        }
        end(*each->second);
        each = running_.erase(each);
    }
    fill();
}

void Trials::fill() {
    while (!waiting_.empty() && running_.size() < atOnce) {
        begin(waiting_.front());
        waiting_.pop_front();
    }
}

void Trials::begin(const std::string& file) {
    auto& trial = *(running_[file] = std::make_unique<Trial>());
    trial.cancel = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    trial.thread = std::thread([this, file, &trial] {
        pthread_setname_np(pthread_self(), "plugin-trial");
        auto identity = probe(program_, file, limit, trial.cancel.get());
        // It may have been the machine that was slow.
        if (!identity && identity.error().kind() == Error::Kind::Timeout)
            identity = probe(program_, file, patientLimit, trial.cancel.get());
        {
            const std::lock_guard lock(trial.mutex);
            trial.result = std::move(identity);
        }
        wake_();
    });
}

void Trials::end(Trial& trial) {
    const std::uint64_t one = 1;
    (void)!write(trial.cancel.get(), &one, sizeof one);
    trial.thread.join();
}

}  // namespace postbus::deployer
