#include "server/daemon/logging.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/log/event.hpp"
#include "transports/http/access_log.hpp"

namespace postbus::server {

Logging::Opened::~Opened() {
    if (descriptor_ >= 0) close(descriptor_);
}

int Logging::Opened::release() { return std::exchange(descriptor_, -1); }

Logging::~Logging() {
    if (file_ >= 0) close(file_);
}

Result<Logging::Opened> Logging::prepare(const LoggingConfig& config, const StateFolder& state) const {
    if (!config.access.enabled || config.access.file == "stderr") return Opened();
    const std::string path = state.inside(config.access.file);
    const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
    if (descriptor < 0) return Error::invalid("cannot open the access log " + path + ": " + std::strerror(errno));
    return Opened(descriptor);
}

void Logging::apply(const LoggingConfig& config, Opened opened) {
    log::configure({config.format, config.level, STDERR_FILENO});

    http::AccessLogSettings access;
    access.enabled = config.access.enabled;
    access.json = config.format == log::Format::Json;
    if (const int fresh = opened.release(); fresh >= 0) {
        if (file_ < 0) {
            file_ = fresh;
        } else {
            dup3(fresh, file_, O_CLOEXEC);
            close(fresh);
        }
        access.descriptor = file_;
    } else {
        access.descriptor = STDERR_FILENO;
    }
    http::configureAccessLog(access);
}

}  // namespace postbus::server
