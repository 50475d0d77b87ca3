#include "plugins/deployer/probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "plugins/deployer/descriptor.hpp"

namespace postbus::deployer {
namespace {

constexpr int reportDescriptor = 3;
constexpr std::size_t maxReport = 16 * 1024, maxComplaint = 4 * 1024;

struct Pipe {
    Descriptor read, write;
    static Pipe make() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return {};
        Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
        // Out of the way of the numbers that the child gets, in case the bus runs without its first three.
        for (Descriptor* end : {&pipe.read, &pipe.write})
            if (end->get() <= reportDescriptor)
                *end = Descriptor(fcntl(end->get(), F_DUPFD_CLOEXEC, reportDescriptor + 1));
        return pipe;
    }
    explicit operator bool() const { return read && write; }
};

Result<pid_t> spawn(const std::string& program, const std::string& file, int report, int complaints) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, complaints, 2);
    posix_spawn_file_actions_adddup2(&actions, report, reportDescriptor);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, reportDescriptor + 1);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(file.c_str()), nullptr};
    pid_t child = -1;
    const int failed = posix_spawn(&child, program.c_str(), &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return Error(Error::Kind::Unavailable,
                     "the probe program " + program + " can't be started: " + std::strerror(failed));
    return child;
}

struct Heard {
    std::string report, complaints;
    bool timedOut = false, cancelled = false;
};

// True while there may be more.
bool take(int from, std::string& into, std::size_t limit) {
    char piece[4096];
    const ssize_t got = read(from, piece, sizeof piece);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    into.append(piece, std::min(static_cast<std::size_t>(got), limit - std::min(limit, into.size())));
    return got > 0;
}

// Until the report is whole, the child has closed it, time is up, or it is cancelled.
Heard listen(int report, int complaints, int cancel, TimePoint until) {
    Heard heard;
    pollfd sources[] = {{report, POLLIN, 0}, {complaints, POLLIN, 0}, {cancel, POLLIN, 0}};
    while (sources[0].fd >= 0 && heard.report.find('\n') == std::string::npos) {
        const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
        if (left <= 0) {
            heard.timedOut = true;
            break;
        }
        if (poll(sources, 3, static_cast<int>(left)) < 0 && errno != EINTR) break;
        heard.cancelled = sources[2].revents != 0;
        if (heard.cancelled) break;
        if (sources[1].revents && !take(complaints, heard.complaints, maxComplaint)) sources[1].fd = -1;
        if (sources[0].revents && !take(report, heard.report, maxReport)) sources[0].fd = -1;
    }
    return heard;
}

// Gives the child until `until` to end by itself, then ends it, and all that it forked. Its status, or -1.
int finish(pid_t child, int cancel, TimePoint until) {
    siginfo_t ended{};
    while (Clock::now() < until) {
        // Not reaped yet: its number, and so its group's, stays its own until the kill below.
        if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR) break;
        if (ended.si_pid == child) break;
        pollfd source{cancel, POLLIN, 0};
        if (poll(&source, 1, 1) > 0) break;
    }
    kill(-child, SIGKILL);
    int status = -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

std::string lastLine(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    const std::size_t begin = text.rfind('\n');
    return std::string(begin == std::string_view::npos ? text : text.substr(begin + 1));
}

Error without(const Heard& heard, int status, milliseconds limit) {
    const bool timedOut = heard.timedOut || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    std::string reason;
    if (timedOut)
        reason = "does not come to an end while it is loaded (limit " + std::to_string(limit.count()) + " ms)";
    else if (WIFSIGNALED(status))
        reason = "crashes while it is loaded (signal " + std::to_string(WTERMSIG(status)) + ", " +
                 strsignal(WTERMSIG(status)) + ")";
    else if (WIFEXITED(status))
        reason = "ends the process while it is loaded (exit " + std::to_string(WEXITSTATUS(status)) + ")";
    else
        reason = "does not survive being loaded";
    reason += "; look at its static objects and constructors";
    if (const std::string said = lastLine(heard.complaints); !said.empty()) reason += "; it said: " + said;
    return {timedOut ? Error::Kind::Timeout : Error::Kind::Invalid, std::move(reason)};
}

}  // namespace

Result<Identity> probe(const std::string& program, const std::string& file, milliseconds limit, int cancel) {
    Pipe report = Pipe::make(), complaints = Pipe::make();
    if (!report || !complaints)
        return Error(Error::Kind::Unavailable, std::string("no pipe for the probe: ") + std::strerror(errno));
    const auto child = spawn(program, file, report.write.get(), complaints.write.get());
    if (!child) return child.error();
    report.write.close();
    complaints.write.close();

    const TimePoint until = Clock::now() + limit;
    const Heard heard = listen(report.read.get(), complaints.read.get(), cancel, until);
    const std::size_t end = heard.report.find('\n');
    // After its line the probe has nothing left to do.
    const int status = finish(*child, cancel, end == std::string::npos && !heard.cancelled ? until : Clock::now());
    if (heard.cancelled) return Error(Error::Kind::Unavailable, "nobody needs to know any more");
    if (end == std::string::npos) return without(heard, status, limit);

    const std::string line = heard.report.substr(0, end);
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (line.substr(0, first) == "bad" && first != std::string::npos) return Error::invalid(line.substr(first + 1));
    if (line.substr(0, first) != "ok" || first == std::string::npos || second == std::string::npos)
        return Error::invalid("wrote into the probe's report while it was loaded; descriptors are not its to guess");
    return Identity{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

}  // namespace postbus::deployer
