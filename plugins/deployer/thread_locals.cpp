#include "plugins/deployer/thread_locals.hpp"

#include <dlfcn.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace postbus::deployer {
namespace {

using Destroy = void (*)(void*);
using Register = int (*)(Destroy destroy, void* object, void* library);

struct Plugin {
    int ending = 0;  ///< threads that are destroying an object of it, at their end
};
struct Object {
    Destroy destroy;
    void* object;
    Plugin* plugin;
};
/// One thread's, oldest first.
using Objects = std::vector<Object>;

/// What the process has of them: there is one C library, whose place this takes.
struct Registry {
    std::mutex mutex;
    std::condition_variable ended;
    std::map<std::string, Plugin, std::less<>> plugins;  // by path
    std::set<Objects*> threads;
};
Registry& registry() {
    static auto* const its = new Registry;  // never destroyed: threads may end after main
    return *its;
}
std::atomic<bool> anyKept{false};

/// Destroys what a thread has left of plugins when it ends.
class ThreadEnd {
public:
    ThreadEnd() {
        const std::lock_guard lock(registry().mutex);
        registry().threads.insert(&objects);
    }
    ~ThreadEnd();
    Objects objects;
};

ThreadEnd::~ThreadEnd() {
    Registry& all = registry();
    std::unique_lock lock(all.mutex);
    while (!objects.empty()) {
        const Object last = objects.back();
        objects.pop_back();
        ++last.plugin->ending;
        lock.unlock();
        last.destroy(last.object);
        lock.lock();
        if (--last.plugin->ending == 0) all.ended.notify_all();
    }
    all.threads.erase(&objects);
}

/// The thread's own, made for its first object; null when the thread is past its end.
ThreadEnd* threadEnd() {
    enum class Phase { None, Living, Over };
    static constinit thread_local Phase phase = Phase::None;
    struct Guarded {
        ThreadEnd end;
        Guarded() { phase = Phase::Living; }
        ~Guarded() { phase = Phase::Over; }
    };
    if (phase == Phase::Over) return nullptr;
    static thread_local Guarded mine;
    return &mine.end;
}

/// Whether it is kept here: an object of a plugin.
bool keep(Destroy destroy, void* object, void* library) {
    Dl_info info{};
    if (!dladdr(library, &info) || !info.dli_fname) return false;
    Registry& all = registry();
    {
        const std::lock_guard lock(all.mutex);
        if (all.plugins.find(std::string_view(info.dli_fname)) == all.plugins.end()) return false;
    }
    ThreadEnd* const thread = threadEnd();  // before the lock: it takes it itself, and comes here again
    if (!thread) return false;
    const std::lock_guard lock(all.mutex);
    const auto found = all.plugins.find(std::string_view(info.dli_fname));
    if (found == all.plugins.end()) return false;
    thread->objects.push_back({destroy, object, &found->second});
    return true;
}

/// The last object of some thread's that is the plugin's.
std::optional<Object> takeLast(Registry& all, const Plugin& plugin) {
    for (Objects* thread : all.threads)
        for (auto each = thread->rbegin(); each != thread->rend(); ++each) {
            if (each->plugin != &plugin) continue;
            const Object found = *each;
            thread->erase(std::next(each).base());
            return found;
        }
    return std::nullopt;
}

int registerWithLibrary(Destroy destroy, void* object, void* library) {
    static const auto real = reinterpret_cast<Register>(dlsym(RTLD_NEXT, "__cxa_thread_atexit_impl"));
    return real ? real(destroy, object, library) : -1;
}

}  // namespace

void keepThreadLocals(const std::string& path) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    all.plugins.try_emplace(path);
    anyKept = true;
}

void destroyThreadLocals(const std::string& path) {
    Registry& all = registry();
    std::unique_lock lock(all.mutex);
    const auto plugin = all.plugins.find(path);
    if (plugin == all.plugins.end()) return;
    while (const auto last = takeLast(all, plugin->second)) {
        lock.unlock();
        last->destroy(last->object);
        lock.lock();
    }
    all.ended.wait(lock, [&] { return plugin->second.ending == 0; });
    all.plugins.erase(plugin);
}

}  // namespace postbus::deployer

/// Takes the C library's place for all that is loaded (the programs that load plugins export it).
extern "C" __attribute__((visibility("default"))) int __cxa_thread_atexit_impl(  // NOLINT(bugprone-reserved-identifier)
    void (*destroy)(void*), void* object, void* library) {
    using namespace postbus::deployer;
    if (anyKept.load(std::memory_order_relaxed) && keep(destroy, object, library)) return 0;
    return registerWithLibrary(destroy, object, library);
}
