// postbus-probe FILE: loads a plugin as the bus would, looks at its tables, and writes one line to descriptor 3:
//
//   ok TAB name TAB version      it can be loaded
//   bad TAB reason               it can not
//
// A plugin that crashes, hangs or leaves takes this process with it, not the bus. The line is the verdict: the exit
// code says nothing, since a constructor may have called exit(0).
#include <postbus/abi.h>

#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "plugins/tables/check.hpp"

namespace {

constexpr int reportDescriptor = 3;
constexpr rlim_t addressSpace = rlim_t{1} << 30, cpuSeconds = 5;

#if defined(POSTBUS_ASAN) || defined(POSTBUS_TSAN)
constexpr bool limitAddressSpace = false;  // their shadow memory is terabytes of address space
#else
constexpr bool limitAddressSpace = true;
#endif

void limit(__rlimit_resource what, rlim_t value) {
    rlimit both{};
    if (getrlimit(what, &both) != 0) return;
    if (both.rlim_max != RLIM_INFINITY && both.rlim_max < value) value = both.rlim_max;
    both.rlim_cur = both.rlim_max = value;
    setrlimit(what, &both);
}

[[noreturn]] void report(std::string line) {
    for (char& c : line)
        if (c == '\n' || c == '\r') c = ' ';
    line += '\n';
    const char* at = line.data();
    std::size_t left = line.size();
    while (left) {
        const ssize_t written = write(reportDescriptor, at, left);
        if (written <= 0) break;
        at += written;
        left -= static_cast<std::size_t>(written);
    }
    _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: postbus-probe FILE (the verdict goes to descriptor 3)\n", stderr);
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, cpuSeconds);
    if (limitAddressSpace) limit(RLIMIT_AS, addressSpace);

    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* reason = dlerror();
        report(std::string("bad\tcannot be loaded: ") + (reason ? reason : "no reason given"));
    }
    const auto entry = reinterpret_cast<postbus_plugin_entry>(dlsym(library, POSTBUS_ENTRY_SYMBOL));
    if (!entry) report("bad\tdoes not export " POSTBUS_ENTRY_SYMBOL);
    const postbus_plugin* plugin = entry();
    if (const std::string problem = postbus::tables::check(plugin); !problem.empty()) report("bad\t" + problem);
    report("ok\t" + std::string(postbus::tables::view(plugin->name)) + '\t' +
           std::string(postbus::tables::view(plugin->version)));
}
