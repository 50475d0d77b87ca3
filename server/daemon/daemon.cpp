#include "server/daemon/daemon.hpp"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include "admin/admin_server.hpp"
#include "admin/token.hpp"
#include "base/version.hpp"
#include "config/problems.hpp"
#include "server/daemon/daemon_events.hpp"
#include "server/daemon/drain.hpp"
#include "server/daemon/exit_status.hpp"
#include "server/daemon/logging.hpp"
#include "server/daemon/notify.hpp"
#include "server/daemon/parts.hpp"
#include "server/daemon/place_of_listener.hpp"
#include "server/daemon/progress.hpp"
#include "server/daemon/reload.hpp"
#include "server/daemon/reload_requests.hpp"
#include "server/daemon/reports.hpp"
#include "server/daemon/signals.hpp"
#include "server/daemon/state_folder.hpp"

namespace postbus::server {
namespace {

template <class T>
T orThrow(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::string adminSocket(const AdminConfig& config, const StateFolder& state) {
    if (config.socket == AdminConfig::off) return {};
    const char* runtime = std::getenv("RUNTIME_DIRECTORY");
    if (runtime && *runtime && config.socket.front() != '/')
        return std::string(runtime, std::strcspn(runtime, ":")) + '/' + config.socket;
    return state.inside(config.socket);
}

/// One daemon, from its start to its end.
class Daemon {
public:
    Daemon(const Options& options, DaemonConfig config)
        : options_(options),
          state_(StateFolder::defaultPath()),
          parts_(config, state_),
          reloader_(options, std::move(config), state_, parts_, logging_, progress_),
          reports_(parts_, progress_, reloads_, {options.config, state_.path()}) {}

    int run() {
        start();
        serve();
        return stop();
    }

private:
    void start();
    void serve();
    int stop();
    void reload();

    const Options& options_;
    Signals signals_;
    Notify notify_;
    Progress progress_;
    StateFolder state_;
    Logging logging_;
    Parts parts_;
    Reloader reloader_;
    ReloadRequests reloads_;
    Reports reports_;
    std::optional<admin::AdminServer> admin_;
};

void Daemon::start() {
    const DaemonConfig& config = reloader_.inForce();
    logging_.apply(config.logging, orThrow(logging_.prepare(config.logging, state_)));
    log::emit(DaemonStarting, {{"version", version()},
                               {"pid", getpid()},
                               {"config", options_.config.empty() ? "built-in defaults" : options_.config},
                               {"state", state_.path()}});
    // Bound before plugins are started, so that a port in use is told at once; open after the first round, so that the
    // first answer is right.
    auto listeners = parts_.http.prepare(config.transports.http);
    if (!listeners)
        throw std::runtime_error(unlistened(options_, "transports.http.listen", listeners.error().message()));

    admin::AdminServer::Options options;
    options.token = orThrow(admin::loadToken(state_.inside("admin.token")));
    if (config.admin.listen != AdminConfig::off) options.listen = config.admin.listen;
    options.socket = adminSocket(config.admin, state_);
    options.body = config.admin.limits.body;
    admin_.emplace(reports_, std::move(options));
    reports_.shownBy(*admin_);
    if (const auto started = admin_->start(); !started) {
        const std::string& trouble = started.error().message();
        const bool socket = trouble.find(" unix:") != std::string::npos;
        throw std::runtime_error(unlistened(options_, socket ? "admin.socket" : "admin.listen", trouble));
    }

    parts_.deployer.start();
    parts_.composition.open();
    parts_.queues.configure(config);
    parts_.watchdog.watch(config.watchdog.limit);
    parts_.http.apply(std::move(*listeners));
    progress_.enter(Progress::Phase::Serving);
    log::emit(DaemonReady,
              {{"milliseconds", std::chrono::duration<double, std::milli>(Clock::now() - progress_.begun()).count()}});
    notify_.ready("serving");
}

void Daemon::serve() {
    for (;;) {
        pollfd waits[] = {{signals_.descriptor(), POLLIN, 0}, {reloads_.descriptor(), POLLIN, 0}};
        poll(waits, 2, -1);
        while (const auto signal = signals_.next()) {
            if (*signal != SIGHUP) return;
            reload();
        }
        if (waits[1].revents) reload();
    }
}

/// One run answers all who have asked until now.
void Daemon::reload() {
    notify_.reloading();
    auto waiting = reloads_.take();
    const admin::ReloadReport report = reloader_.run();
    ReloadRequests::answer(std::move(waiting), report);
    notify_.ready(report.reloaded ? "serving" : "serving; the last reload was refused, see the log");
}

int Daemon::stop() {
    progress_.enter(Progress::Phase::Draining);
    notify_.stopping();
    reloads_.close();
    const Drained drained = drain(parts_, signals_, reloader_.inForce().shutdown.drain);
    if (drained.end != Drained::End::Done) {
        log::emit(drained.end == Drained::End::Aborted ? DaemonAborted : DaemonStuck);
        std::_Exit(exitFailed);
    }
    const TimePoint soon = Clock::now() + milliseconds(1000);
    parts_.composition.clear();
    // By a service that does not come to an end.
    const bool held = parts_.bus.figures().open > 0 || parts_.queues.plugins().atWork() > 0;
    if (!held) parts_.deployer.stop(soon);
    admin_->stop(soon);
    log::emit(DaemonStopped, {{"unanswered", drained.unanswered}});
    // Threads are still inside that service: nothing may be taken down under them.
    const int status = parts_.queues.wantExit() ? exitFailed : exitDone;
    if (held) std::_Exit(status);
    return status;
}

}  // namespace

int runDaemon(const Options& options) {
    openStandardDescriptors();
    DaemonConfig config;
    try {
        config = load(options);
    } catch (const config::ConfigError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return exitInvalid;
    }
    log::configure({config.logging.format, config.logging.level, STDERR_FILENO});
    try {
        return Daemon(options, std::move(config)).run();
    } catch (const std::exception& error) {
        log::emit(DaemonFailed, {{"reason", error.what()}});
        return exitFailed;
    }
}

int checkConfiguration(const Options& options) {
    try {
        load(options);
    } catch (const config::ConfigError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return exitInvalid;
    }
    std::printf("%s: the configuration is valid\n",
                options.config.empty() ? "built-in defaults" : options.config.c_str());
    return exitDone;
}

}  // namespace postbus::server
