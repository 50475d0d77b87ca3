// A plugin by hand on the C tables, one of which is wrong; WHAT says which.
#include <postbus/abi.h>

#define ENTRY_GIVES_NOTHING 1
#define SIZE_ZERO 2
#define OTHER_ABI 3
#define NO_SERVICES 4
#define SERVICE_WITHOUT_TABLE 5
#define BAD_SERVICE_NAME 6
#define NO_FUNCTIONS 7
#define CREATE_FAILS 8
#define BAD_PATH 9
#define TWO_OF_ONE_NAME 10
#define NO_ENTRY 11
#define ENTRY_CRASHES 12

namespace {

void* create(const postbus_host*, postbus_service_context*) {
    static int self;
    return WHAT == CREATE_FAILS ? nullptr : &self;
}
int start(void*) { return 0; }
void handle(void*, postbus_call*) {}
void stop(void*) {}
void destroy(void*) {}

template <unsigned long N>
constexpr postbus_str text(const char (&literal)[N]) {
    return {literal, N - 1};
}

constexpr bool functions = WHAT != NO_FUNCTIONS;
constexpr postbus_service service{sizeof(postbus_service),
                                  WHAT == BAD_SERVICE_NAME ? text("../evil") : text("Bad"),
                                  text("urn:postbus:test:bad"),
                                  text("1.0.0"),
                                  WHAT == BAD_PATH ? text("no/slash?") : text("/test/bad"),
                                  {},
                                  {},
                                  functions ? &create : nullptr,
                                  functions ? &start : nullptr,
                                  functions ? &handle : nullptr,
                                  functions ? &stop : nullptr,
                                  functions ? &destroy : nullptr,
                                  nullptr};
constexpr const postbus_service* services[] = {WHAT == SERVICE_WITHOUT_TABLE ? nullptr : &service, &service};
constexpr postbus_plugin plugin{WHAT == SIZE_ZERO ? 0 : sizeof(postbus_plugin),
                                WHAT == OTHER_ABI ? 9 : POSTBUS_ABI_MAJOR,
                                POSTBUS_ABI_MINOR,
                                text("bad"),
                                text("1.0.0"),
                                services,
                                WHAT == NO_SERVICES       ? 0u
                                : WHAT == TWO_OF_ONE_NAME ? 2u
                                                          : 1u};

}  // namespace

#if WHAT == NO_ENTRY
extern "C" __attribute__((visibility("default"))) const postbus_plugin* some_other_function()
#else
extern "C" __attribute__((visibility("default"))) const postbus_plugin* postbus_plugin_entry_v1()
#endif
{
    if (WHAT == ENTRY_CRASHES) __builtin_trap();
    return WHAT == ENTRY_GIVES_NOTHING ? nullptr : &plugin;
}
