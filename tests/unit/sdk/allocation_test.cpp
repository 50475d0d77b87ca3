// TSan's run-time has an operator new of its own, which can't be counted.
#if !defined(POSTBUS_TSAN)

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <new>
#include <string>

#include "formats/xml/parse.hpp"
#include "tests/unit/sdk/sample_service.hpp"

// What the SDK itself asks the heap for on the way of a call: nothing.

namespace {

// Of this thread alone: a sanitizer's or the test framework's threads do not count.
thread_local std::size_t allocations = 0;

void* allocate(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}

struct Numbers {
    std::int32_t a = 0;
    std::optional<double> b;
    bool c = false;
    std::string d;  // of a length that std::string holds itself
    static constexpr auto fields() {
        return std::tuple{postbus::field("a", &Numbers::a), postbus::field("b", &Numbers::b),
                          postbus::field("c", &Numbers::c), postbus::field("d", &Numbers::d)};
    }
};

/// A host that does nothing with what it is told, so that the SDK's own doings are left.
const postbus_host& silentHost() {
    static const postbus_writer writer{
        sizeof(postbus_writer),
        [](postbus_call*, postbus_str, postbus_str, postbus_str) {},
        [](postbus_call*, postbus_str, postbus_str) {},
        [](postbus_call*, postbus_str, postbus_str, postbus_str, postbus_str) {},
        [](postbus_call*, postbus_str) {},
        [](postbus_call*) {},
        [](postbus_call*, const postbus_tape*, std::uint32_t) {},
        [](postbus_call*, const postbus_tape*, std::uint32_t) {},
    };
    static postbus_host host = [] {
        postbus_host silent = postbus::test::PluginHost::table();
        silent.writer = &writer;
        silent.define = [](postbus_service_context*, const postbus_operation*) { return 0; };
        silent.reply = [](postbus_call* call) { call->size = 0; };
        return silent;
    }();
    return host;
}

std::size_t allocationsOf(std::function<void(sample::Service&)> define, const char* message) {
    sample::Service::onStart = std::move(define);
    sample::Service::onStop = sample::Service::onHealth = nullptr;
    void* const self = sample::table.create(&silentHost(), nullptr);
    BOOST_REQUIRE(self);
    BOOST_REQUIRE(sample::table.start(self) == 0);
    postbus::xml::Tape tape;
    BOOST_REQUIRE(postbus::xml::parse(message, {}, {}, tape));
    postbus_call call{};
    call.size = sizeof call;
    call.tape = tape.view();
    call.content = POSTBUS_NO_NODE;

    const std::size_t before = allocations;
    sample::table.handle(self, &call);
    const std::size_t during = allocations - before;

    BOOST_TEST(call.size == 0u, "not answered");
    sample::table.stop(self);
    sample::table.destroy(self);
    return during;
}

constexpr const char* numbers = "<n><a>1</a>\n<b>2.5</b><c>true</c><d>short</d></n>";

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

BOOST_AUTO_TEST_SUITE(allocation)

BOOST_AUTO_TEST_CASE(a_typed_call_needs_no_heap) {
    BOOST_TEST(allocationsOf([](sample::Service& self) { self.operation("n", [](const Numbers& in) { return in; }); },
                             numbers) == 0u);
}

BOOST_AUTO_TEST_CASE(a_raw_call_needs_no_heap) {
    BOOST_TEST(allocationsOf(
                   [](sample::Service& self) {
                       self.raw("n", [](postbus::Call call) {
                           call.copy(call.payload());
                           call.reply();
                       });
                   },
                   numbers) == 0u);
}

BOOST_AUTO_TEST_CASE(the_count_sees_what_a_handler_allocates) {
    BOOST_TEST(allocationsOf(
                   [](sample::Service& self) {
                       self.operation("n", [](const Numbers& in) {
                           Numbers out = in;
                           out.d = std::string(1000, 'x');
                           return out;
                       });
                   },
                   numbers) > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
