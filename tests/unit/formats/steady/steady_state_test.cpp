/// What formats take from the heap once they are warm: nothing.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <thread>

#include "formats/mime/content_coding.hpp"
#include "formats/mime/media_type.hpp"
#include "formats/xml/parse.hpp"
#include "formats/xml/writer.hpp"

// glibc's own names for its allocator. operator new comes by malloc, too, and so does libxml2.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace {
thread_local std::size_t allocations = 0;
}

extern "C" {
void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    ++allocations;
    return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
    ++allocations;
    return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    ++allocations;
    return __libc_memalign(alignment, size);
}
}

using postbus::Buffer;
using namespace postbus::xml;

namespace {

/// Allocations of 1,000 runs, after some that warm up.
template <class Run>
std::size_t allocationsOf(Run run) {
    for (int i = 0; i < 10; ++i) run();
    const std::size_t before = allocations;
    for (int i = 0; i < 1'000; ++i) run();
    return allocations - before;
}

std::size_t allocationsOfParsing(const std::string& document, std::string_view charset = "utf-8") {
    Tape tape;
    bool good = true;
    const std::size_t count = allocationsOf([&] { good = good && parse(document, charset, {}, tape); });
    BOOST_TEST(good);
    return count;
}

std::string envelope(const std::string& payload) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
           "<h:sayHi xmlns:h=\"http://cxf.examples.servicemix.apache.org/\">" +
           payload + "</h:sayHi></s:Body></s:Envelope>";
}

std::string items(int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
        all += "<item id=\"" + std::to_string(i) +
               "\" note='a &amp; b'><name>A &lt; B<!-- c --><![CDATA[ & ]]></name></item>\n";
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(steady_state)

BOOST_AUTO_TEST_CASE(is_counted) {
    // Through volatile pointers: an optimising compiler may leave out a pair that it sees through.
    int* volatile object = nullptr;
    void* volatile bytes = nullptr;
    BOOST_TEST(allocationsOf([&] { object = new int; }) > 0u);
    BOOST_TEST(allocationsOf([&] { bytes = std::malloc(1); }) > 0u);
    delete object;
    std::free(bytes);
}

BOOST_AUTO_TEST_CASE(parses_without_the_heap) {
    BOOST_TEST(allocationsOfParsing(envelope("<arg0>Ann</arg0>")) == 0u);
    BOOST_TEST(allocationsOfParsing(envelope("<arg0>A<!-- x --><![CDATA[ & ]]>&lt;C&#xEB;</arg0>"), "") == 0u);
    BOOST_TEST(allocationsOfParsing(envelope(items(100))) == 0u);
    BOOST_TEST(allocationsOfParsing(envelope(items(1'000))) == 0u);
    BOOST_TEST(allocationsOfParsing(envelope("<arg0>Zo\xEB</arg0>"), "iso-8859-1") == 0u);
    BOOST_TEST(allocationsOfParsing(envelope("<arg0>\x80</arg0>"), "windows-1252") == 0u);
}

BOOST_AUTO_TEST_CASE(parses_without_the_heap_on_threads_that_come_and_go) {
    for (int i = 0; i < 3; ++i) std::thread([] { BOOST_TEST(allocationsOfParsing(envelope(items(10))) == 0u); }).join();
}

BOOST_AUTO_TEST_CASE(writes_without_the_heap) {
    Tape tape;
    BOOST_REQUIRE(!!parse(envelope(items(100)), {}, {}, tape));
    Buffer out;
    Writer writer;
    bool good = true;

    const std::size_t count = allocationsOf([&] {
        out.clear(512);
        writer.begin(out);
        writer.start("http://schemas.xmlsoap.org/soap/envelope/", "Envelope", "soap");
        writer.attribute("urn:x", "y", "", "z");
        writer.copy(tape.root().firstChild());
        writer.end();
        good = good && writer.finish();
    });

    BOOST_TEST(good);
    BOOST_TEST(count == 0u);
}

BOOST_AUTO_TEST_CASE(packs_and_unpacks_without_the_heap) {
    const std::string text = envelope(items(100));
    Buffer small, large;
    bool good = true;
    for (const auto coding : {postbus::mime::Coding::Gzip, postbus::mime::Coding::Deflate}) {
        const std::size_t count = allocationsOf([&] {
            small.clear(512);
            large.clear(512);
            good = good && postbus::mime::deflate(text, coding, small) &&
                   postbus::mime::inflate(small.view(), coding, 1'000'000, large) && large.view() == text;
        });

        BOOST_TEST(good);
        BOOST_TEST(count == 0u);
    }
}

BOOST_AUTO_TEST_CASE(reads_media_types_without_the_heap) {
    std::string memory;
    const auto run = [&memory] {
        const auto media = postbus::mime::MediaType::parse("text/xml; a=\"\\\"b\"; charset=\"utf-8\"");
        return media && media->parameter("charset", memory) && media->parameter("a", memory);
    };
    bool good = true;

    BOOST_TEST(allocationsOf([&] { good = good && run(); }) == 0u);
    BOOST_TEST(good);
}

BOOST_AUTO_TEST_SUITE_END()
