#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace postbus::log {

/// Where lines go: a file, a terminal, or a pipe or socket with a reader behind it. For that reader nobody waits: what
/// finds no room is dropped, whole lines of it, and counted.
///
/// Thread-safe. Lines of different threads do not mix.
class Sink {
public:
    /// To standard error.
    constexpr Sink() = default;
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    /// From now on to this one; borrowed.
    void use(int descriptor);
    /// Whole lines, each with its end.
    void write(std::string_view lines);
    /// How many lines were dropped since the last call, if there is room again.
    std::uint64_t takeDropped();

private:
    void writeWithoutWaiting(int descriptor, std::string_view lines);

    std::atomic<int> descriptor_{2};
    std::atomic<bool> mayWait_{true};  // whether a write might have to wait for a reader
    std::atomic<bool> cut_{false};     // the last line stands there without its end
    std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace postbus::log
