#pragma once

#include <optional>

namespace postbus::server {

/// The signals that steer the daemon, as a descriptor to wait on: they interrupt nothing.
///
/// Make it before any thread starts: SIGTERM, SIGINT and SIGHUP are blocked from then on, in all threads; SIGPIPE is
/// ignored.
class Signals {
public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    int descriptor() const { return descriptor_; }
    /// The next one that came; does not wait.
    std::optional<int> next();

private:
    int descriptor_;
};

/// Opens /dev/null for each of the three standard descriptors that is closed: else the next socket would be standard
/// error, and a log line an answer. Before anything else is opened.
void openStandardDescriptors();

}  // namespace postbus::server
