#pragma once

#include <string>

#include "base/result.hpp"
#include "server/config/daemon_config.hpp"
#include "server/daemon/state_folder.hpp"

namespace postbus::server {

/// The log and the access log, as the configuration wants them.
class Logging {
public:
    ~Logging();

    /// The access log's file, open but not in use yet.
    class Opened {
    public:
        explicit Opened(int descriptor = -1) : descriptor_(descriptor) {}
        Opened(Opened&& other) noexcept : descriptor_(other.release()) {}
        Opened& operator=(Opened&&) = delete;
        ~Opened();
        int release();

    private:
        int descriptor_;
    };
    Result<Opened> prepare(const LoggingConfig& config, const StateFolder& state) const;
    void apply(const LoggingConfig& config, Opened opened);

private:
    int file_ = -1;  // one number for the life of the process: loops write to it while it is replaced
};

}  // namespace postbus::server
