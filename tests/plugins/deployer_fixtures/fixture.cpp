// A plugin written against the C interface alone, of which the tests of the deployer build many: each definition on the
// compiler's command line makes it misbehave in one way.
#include <postbus/abi.h>

#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#ifndef FIXTURE_PLUGIN
#define FIXTURE_PLUGIN "fixture"
#endif
#ifndef FIXTURE_VERSION
#define FIXTURE_VERSION "1"
#endif
#ifndef FIXTURE_SERVICE
#define FIXTURE_SERVICE "Fixture"
#endif
#ifndef FIXTURE_PATH
#define FIXTURE_PATH "/fixture"
#endif
#ifndef FIXTURE_FLAGS
#define FIXTURE_FLAGS POSTBUS_OPERATION_NONBLOCKING
#endif
#ifndef FIXTURE_ABI
#define FIXTURE_ABI POSTBUS_ABI_MAJOR
#endif

namespace {

postbus_str str(const char* text) { return {text, std::strlen(text)}; }

struct Self {
    const postbus_host* host;
    postbus_service_context* context;
    std::mutex mutex;  // calls come from many threads at once
    std::vector<std::thread> threads;
};

#ifdef FIXTURE_THREAD_LOCAL
struct Counted {
    std::vector<int> calls;
    ~Counted() { calls.clear(); }
};
thread_local Counted counted;
#endif
#ifdef FIXTURE_ON_EXIT
void late(int, void*) {}
#endif
#ifdef FIXTURE_UNIQUE
struct Shared {
    static inline int count = 0;
};
#endif
#ifdef FIXTURE_UNDEFINED
extern "C" void fixture_nobody_defines_this();
#endif

#ifdef FIXTURE_CONSTRUCTOR
__attribute__((constructor)) void constructor() { FIXTURE_CONSTRUCTOR; }
#endif

void* create(const postbus_host* host, postbus_service_context* context) {
    return new (std::nothrow) Self{host, context, {}, {}};
}

int start(void* self) {
    Self& its = *static_cast<Self*>(self);
#ifdef FIXTURE_START_TAKES
    usleep(FIXTURE_START_TAKES * 1000);
#endif
#ifdef FIXTURE_START_FAILS
    its.host->log(its.context, POSTBUS_LOG_ERROR, str("the fixture was told not to start"));
    return 7;
#endif
#ifdef FIXTURE_NO_OPERATION
    return 0;
#endif
    postbus_operation operation{};
    operation.size = sizeof operation;
    operation.id = 1;
    operation.flags = FIXTURE_FLAGS;
    operation.mep = POSTBUS_MEP_IN_OUT;
    operation.name = str("ask");
    operation.in_element = str("ask");
    operation.out_element = str("askResponse");
#ifdef FIXTURE_BAD_OPERATION
    operation.in_element = str("no name");
#endif
    return its.host->define(its.context, &operation);
}

[[maybe_unused]] void answer(Self& its, postbus_call* call) {
    its.host->set_bytes(call, str(FIXTURE_VERSION));
    its.host->reply(call);
}

void handle(void* self, [[maybe_unused]] postbus_call* call) {
    [[maybe_unused]] Self& its = *static_cast<Self*>(self);
#ifdef FIXTURE_THREAD_LOCAL
    counted.calls.push_back(1);
#endif
#ifdef FIXTURE_ON_EXIT
    if (call->size == 0) on_exit(late, nullptr);
#endif
#ifdef FIXTURE_UNIQUE
    ++Shared::count;
#endif
#ifdef FIXTURE_UNDEFINED
    fixture_nobody_defines_this();
#endif
#if defined(FIXTURE_THROWS)
    throw 42;
#elif defined(FIXTURE_TWICE)
    answer(its, call);
    its.host->reply(call);
#elif defined(FIXTURE_HEADERS)
    its.host->set_header(call, str("X-Good"), str("yes"));
    its.host->set_header(call, str("X-Forged"), str("a\r\nSet-Cookie: b"));
    its.host->set_header(call, str("X Bad"), str("c"));
    its.host->set_content_type(call, str("text/plain\nX: y"));
    const postbus_str agent = its.host->header(call, str("user-AGENT"));
    const postbus_str none = its.host->header(call, str("absent"));
    its.host->set_bytes(call, none.data ? str("it is there") : agent);
    its.host->reply(call);
#elif defined(FIXTURE_LATER)
    const std::lock_guard lock(its.mutex);
    its.threads.emplace_back([&its, call] {
        usleep(FIXTURE_LATER * 1000);
        answer(its, call);
    });
#elif defined(FIXTURE_FAULT)
    postbus_fault fault{};
    fault.size = sizeof fault;
    fault.code = POSTBUS_FAULT_SENDER;
    fault.reason = str("not like this");
    its.host->fail(call, &fault);
#else
#ifdef FIXTURE_BLOCKS
    usleep(FIXTURE_BLOCKS * 1000);
#endif
    answer(its, call);
#endif
}

void stop(void* self) {
    for (auto& each : static_cast<Self*>(self)->threads) each.join();
#ifdef FIXTURE_STOP_TAKES
    usleep(FIXTURE_STOP_TAKES * 1000);
#endif
}

void destroy(void* self) { delete static_cast<Self*>(self); }

const postbus_service service{sizeof(postbus_service),
                              {FIXTURE_SERVICE, sizeof FIXTURE_SERVICE - 1},
                              {"urn:fixture", 11},
                              {nullptr, 0},
                              {FIXTURE_PATH, sizeof FIXTURE_PATH - 1},
                              {nullptr, 0},
                              {nullptr, 0},
                              create,
                              start,
                              handle,
                              stop,
                              destroy,
                              nullptr};
const postbus_service* const services[] = {&service};
const postbus_plugin plugin{sizeof(postbus_plugin),
                            FIXTURE_ABI,
                            POSTBUS_ABI_MINOR,
                            {FIXTURE_PLUGIN, sizeof FIXTURE_PLUGIN - 1},
                            {FIXTURE_VERSION, sizeof FIXTURE_VERSION - 1},
                            services,
                            1};

}  // namespace

#ifndef FIXTURE_NO_ENTRY
extern "C" __attribute__((visibility("default"))) const postbus_plugin* postbus_plugin_entry_v1(void);
const postbus_plugin* postbus_plugin_entry_v1(void) { return &plugin; }
#endif
