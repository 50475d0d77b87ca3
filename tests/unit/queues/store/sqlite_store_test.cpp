#include <fcntl.h>
#include <unistd.h>

#include <fstream>

#include "base/clock.hpp"
#include "tests/unit/queues/store/store_rigs.hpp"

using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;
using postbus::test::ScratchFolder;

namespace {

Result<void> commit(QueueStore& store, Batch batch) {
    std::promise<Result<void>> promise;
    store.commit(std::move(batch), [&promise](Result<void> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
}

void must(QueueStore& store, Batch batch) {
    const auto committed = commit(store, std::move(batch));
    BOOST_REQUIRE(committed);
}

std::unique_ptr<SqliteStore> open(const std::string& folder, std::uint32_t pages = 10'000) {
    auto opened = SqliteStore::open({.folder = folder, .logPages = pages, .reserve = 64_KiB});
    BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : opened.error().message()));
    return std::move(*opened);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sqlite_store)

BOOST_AUTO_TEST_CASE(belongs_to_one_user_at_a_time) {
    ScratchFolder folder;
    auto first = open(folder / "q");

    auto second = SqliteStore::open({.folder = folder / "q"});

    BOOST_REQUIRE(!second);
    BOOST_TEST(second.error().message().find("in use") != std::string::npos);
    first.reset();
    BOOST_TEST(bool(SqliteStore::open({.folder = folder / "q"})));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_queue_store) {
    ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "q");
    std::ofstream(folder.path() / "q" / "queues.db") << std::string(5000, 'x');

    const auto opened = SqliteStore::open({.folder = folder / "q"});

    BOOST_REQUIRE(!opened);
    BOOST_TEST(opened.error().message().find("not a database") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(refuses_a_file_of_a_newer_version) {
    ScratchFolder folder;
    open(folder / "q").reset();
    {
        // user_version: four bytes at 60 of the header.
        const int file = ::open((folder.path() / "q" / "queues.db").c_str(), O_RDWR | O_CLOEXEC);
        const unsigned char version[4] = {0, 0, 0, 9};
        BOOST_REQUIRE(pwrite(file, version, 4, 60) == 4);
        ::close(file);
        std::filesystem::remove(folder.path() / "q" / "queues.db-wal");
    }

    const auto opened = SqliteStore::open({.folder = folder / "q"});

    BOOST_REQUIRE(!opened);
    BOOST_TEST(opened.error().message().find("version 9") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(removes_shared_bodies_that_a_crash_left_alone) {
    ScratchFolder folder;
    auto store = open(folder / "q");
    Batch batch;
    batch.putBodies = {body(-1, "alone"), body(-2, "used")};
    batch.putMessages.push_back(message(2));
    batch.putMessages.back().body = -2;
    must(*store, std::move(batch));
    store.reset();

    store = open(folder / "q");

    BOOST_TEST(!store->read(-1));
    BOOST_TEST(bool(store->read(-2)));
}

BOOST_AUTO_TEST_CASE(keeps_the_log_short_under_many_writers) {
    ScratchFolder folder;
    auto store = open(folder / "q", 200);
    std::vector<std::thread> writers;
    writers.reserve(8);
    for (int w = 0; w < 8; ++w)
        writers.emplace_back([&, w] {
            for (int i = 0; i < 150; ++i) {
                const MessageId id = w * 1000 + i + 1;
                if (!commit(*store, enqueue(id, std::string(2000, 'b')))) std::abort();
                if (i % 3 == 0 && !commit(*store, acknowledge(id))) std::abort();
            }
        });
    for (auto& each : writers) each.join();

    BOOST_TEST(std::filesystem::file_size(folder.path() / "q" / "queues.db-wal") < 16u << 20);
    BOOST_TEST(holdings(*store).messages.size() == 800u);
}

BOOST_AUTO_TEST_CASE(gives_pages_back_when_it_is_idle) {
    ScratchFolder folder;
    auto store = open(folder / "q", 200);
    for (MessageId id = 1; id <= 60; ++id) must(*store, enqueue(id, std::string(1 << 20, 'b')));
    for (MessageId id = 1; id <= 60; ++id) must(*store, acknowledge(id));
    const auto file = folder.path() / "q" / "queues.db";
    const auto full = std::filesystem::file_size(file);
    BOOST_TEST(full > 30u << 20);

    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (std::filesystem::file_size(file) > full / 2 && Clock::now() < deadline)
        std::this_thread::sleep_for(milliseconds(50));

    BOOST_TEST(std::filesystem::file_size(file) <= full / 2);
}

// Byte by byte over the last commit: the log is cut off and, in turn, damaged there; what came before must be whole.
BOOST_AUTO_TEST_CASE(survives_a_torn_log_with_all_earlier_commits) {
    ScratchFolder folder;
    std::uintmax_t before = 0;
    const auto wal = folder.path() / "q" / "queues.db-wal";
    {
        auto store = open(folder / "q");
        for (MessageId id = 1; id <= 5; ++id) must(*store, enqueue(id, "body " + std::to_string(id)));
        before = std::filesystem::file_size(wal);
        Batch last = enqueue(6);
        last.putMessages.push_back(message(7));
        must(*store, std::move(last));
    }
    const auto after = std::filesystem::file_size(wal);
    BOOST_REQUIRE(after > before);

    int trials = 0;
    for (std::uintmax_t at = before; at < after; at += 211, ++trials) {
        for (const bool cut : {true, false}) {
            ScratchFolder copy;
            std::filesystem::copy(folder.path() / "q", copy.path() / "q");
            std::filesystem::remove(copy.path() / "q" / "queues.db-shm");
            const auto torn = copy.path() / "q" / "queues.db-wal";
            if (cut) {
                std::filesystem::resize_file(torn, at);
            } else {
                std::fstream file(torn, std::ios::in | std::ios::out | std::ios::binary);
                file.seekg(static_cast<std::streamoff>(at));
                const char byte = static_cast<char>(file.get() ^ 0x20);
                file.seekp(static_cast<std::streamoff>(at));
                file.put(byte);
            }
            auto store = open(copy / "q");
            const Holdings all = holdings(*store);
            BOOST_REQUIRE_MESSAGE(all.messages.size() == 5u, "at " << at << " cut " << cut);
            for (MessageId id = 1; id <= 5; ++id) BOOST_REQUIRE(store->read(id)->body == "body " + std::to_string(id));
        }
    }
    BOOST_TEST(trials > 20);
}

BOOST_AUTO_TEST_SUITE_END()
