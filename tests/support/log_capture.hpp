#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.hpp"
#include "base/log/event.hpp"

namespace postbus::test {

/// The log of the process while it lives: lines as text, in memory.
class LogCapture {
public:
    explicit LogCapture(log::Level level = log::Level::Info) : file_(memfd_create("log", MFD_CLOEXEC)) {
        // Threads that write at once would write to one place otherwise: a memfd does not guard its position.
        fcntl(file_, F_SETFL, O_APPEND);
        log::configure({.format = log::Format::Text, .level = level, .descriptor = file_});
    }
    ~LogCapture() {
        log::configure({.format = log::Format::Text, .level = log::Level::Error, .descriptor = 2});
        close(file_);
    }
    LogCapture(const LogCapture&) = delete;
    LogCapture& operator=(const LogCapture&) = delete;

    std::string text() const {
        std::string all;
        char piece[4096];
        for (ssize_t got; (got = pread(file_, piece, sizeof piece, static_cast<off_t>(all.size()))) > 0;)
            all.append(piece, static_cast<std::size_t>(got));
        return all;
    }
    /// How many lines hold `what`.
    std::size_t count(std::string_view what) const {
        const std::string all = text();
        std::size_t found = 0;
        for (std::size_t at = 0; (at = all.find(what, at)) != std::string::npos; at = all.find('\n', at)) ++found;
        return found;
    }
    /// Waits until a line holds it; false when none comes.
    bool comes(std::string_view what) const {
        for (const TimePoint until = Clock::now() + std::chrono::seconds(20); count(what) == 0;) {
            if (Clock::now() > until) return false;
            std::this_thread::sleep_for(milliseconds(1));
        }
        return true;
    }

private:
    int file_;
};

}  // namespace postbus::test
