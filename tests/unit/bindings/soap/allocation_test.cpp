// TSan's run-time has an operator new of its own, which can't be counted.
#if !defined(POSTBUS_TSAN)

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/unit/bindings/soap/soap_rig.hpp"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

using namespace postbus;
using namespace postbus::test;

namespace {

/// A transport's connection: gives back what it has sent.
class Returning : public core::Replier {
public:
    explicit Returning(core::ExchangePool& pool) : pool_(pool) {}
    void answer(core::WireAnswer&& answer) override {
        good += answer.status == 200 && answer.body.view().find("Hello Ann") != std::string_view::npos;
        pool_.giveBuffer(std::move(answer.body));
    }
    int good = 0;

private:
    core::ExchangePool& pool_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(soap_allocation)

BOOST_AUTO_TEST_CASE(a_call_takes_nothing_from_the_heap_once_it_runs) {
    SoapRig rig;
    const std::string body = envelope(soap11, sayHiTo("Ann"));
    auto connection = std::make_shared<Returning>(rig.caller.pool());
    core::WireRequest wire;
    const auto call = [&] {
        wire.head.method = "POST";
        wire.head.path = "/cxf/HelloWorld";
        wire.head.contentType = "text/xml; charset=utf-8";
        wire.head.host = "localhost:8181";
        wire.head.listener = "test";
        wire.head.headers.add("Content-Type", wire.head.contentType);
        wire.head.headers.add("SOAPAction", "\"\"");
        wire.body = body;
        core::InboundPort& port = rig.caller.port();
        core::Admission admission = port.admit(wire.head);
        if (port.check(admission, wire.head))
            port.receive(rig.caller.pool(), std::move(admission), wire, core::ReplyTo(connection), milliseconds(1000));
    };
    for (int i = 0; i < 10; ++i) call();
    const long before = allocations;

    for (int i = 0; i < 100; ++i) call();

    BOOST_TEST(allocations - before == 0);
    BOOST_TEST(connection->good == 110);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
