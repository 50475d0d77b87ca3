#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "plugins/deployer/cache.hpp"
#include "scratch.hpp"

using namespace postbus;
using namespace postbus::deployer;
using namespace postbus::test;

namespace {

const std::string hashA(64, 'a'), hashB(64, 'b');

mode_t modeOf(const std::string& path) {
    struct stat status {};
    BOOST_REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

struct Prepared : Scratch {
    Prepared() { cache.prepare(); }
    Cache cache{file("cache")};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_cache)

BOOST_AUTO_TEST_CASE(it_is_made_for_its_owner_alone) {
    Scratch scratch;
    Cache(scratch.file("deep/cache")).prepare();
    BOOST_TEST(modeOf(scratch.file("deep/cache")) == 0700u);
}

BOOST_AUTO_TEST_CASE(one_that_is_open_to_others_is_closed) {
    Scratch scratch;
    fs::create_directory(scratch.file("cache"));
    BOOST_REQUIRE(chmod(scratch.file("cache").c_str(), 0777) == 0);
    Cache(scratch.file("cache")).prepare();
    BOOST_TEST(modeOf(scratch.file("cache")) == 0700u);
}

BOOST_AUTO_TEST_CASE(what_is_no_folder_is_refused_with_its_name) {
    Scratch scratch;
    scratch.write("cache", "a file");
    BOOST_CHECK_EXCEPTION(Cache(scratch.file("cache")).prepare(), std::runtime_error, [&](const auto& error) {
        return std::string(error.what()) == "plugin cache " + scratch.file("cache") + ": is no directory";
    });
}

BOOST_AUTO_TEST_CASE(one_of_another_user_is_refused) {
    if (geteuid() != 0) return;  // only root can make one
    Scratch scratch;
    fs::create_directory(scratch.file("cache"));
    BOOST_REQUIRE(chown(scratch.file("cache").c_str(), 12'345, 12'345) == 0);
    BOOST_CHECK_EXCEPTION(Cache(scratch.file("cache")).prepare(), std::runtime_error, [](const auto& error) {
        return std::string(error.what()).find("belongs to user 12345") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(a_noexec_file_system_is_refused_at_once) {
    Scratch scratch;
    if (!fs::exists("/dev/shm")) return;
    const std::string place = "/dev/shm/postbus-unit-noexec-" + std::to_string(getpid());
    const bool mounted =
        std::system(
            ("mkdir " + place + " && mount -t tmpfs -o noexec,size=1m tmpfs " + place + " 2>/dev/null").c_str()) == 0;
    if (mounted) {
        BOOST_CHECK_EXCEPTION(Cache(place + "/cache").prepare(), std::runtime_error, [](const auto& error) {
            return std::string(error.what()).find("noexec") != std::string::npos;
        });
        BOOST_TEST(std::system(("umount " + place).c_str()) == 0);
    } else {
        BOOST_TEST_MESSAGE("mounting is not allowed here: not tried");
    }
    fs::remove_all(place);
}

BOOST_FIXTURE_TEST_CASE(a_copy_is_whole_private_and_under_its_hash, Prepared) {
    const auto copy = cache.store(hashA, "hello", "bytes", {});
    BOOST_REQUIRE(copy);
    BOOST_TEST(*copy == fs::canonical(file("cache")).string() + '/' + hashA + "/hello.so");
    BOOST_TEST(read(*copy) == "bytes");
    BOOST_TEST(modeOf(*copy) == 0500u);
}

BOOST_FIXTURE_TEST_CASE(a_copy_is_written_anew_unless_code_is_mapped_from_it, Prepared) {
    const std::string first = *cache.store(hashA, "hello", "bytes", {});
    BOOST_REQUIRE(chmod(first.c_str(), 0700) == 0);
    write("cache/" + hashA + "/hello.so", "rubbish that a crash left");

    BOOST_TEST(*cache.store(hashA, "hello", "bytes", {}) == first);
    BOOST_TEST(read(first) == "bytes");
    const auto second = cache.store(hashA, "hello", "bytes", {first});
    BOOST_REQUIRE(second);
    BOOST_TEST(*second != first);
    const auto third = cache.storeAgain(hashA, "hello", first, {first, *second});
    BOOST_REQUIRE(third);
    BOOST_TEST(*third != first);
    BOOST_TEST(*third != *second);
    BOOST_TEST(read(*third) == "bytes");
}

BOOST_FIXTURE_TEST_CASE(a_files_name_can_not_lead_out, Prepared) {
    const auto copy = cache.store(hashA, "../../$(x) \n", "bytes", {});
    BOOST_REQUIRE(copy);
    BOOST_TEST(fs::path(*copy).parent_path().string() == fs::canonical(file("cache")).string() + '/' + hashA);
}

BOOST_FIXTURE_TEST_CASE(what_the_probe_said_is_remembered_by_content, Prepared) {
    BOOST_REQUIRE(cache.store(hashA, "hello", "bytes", {}));
    BOOST_TEST(!cache.recall(hashA).has_value());
    cache.remember(hashA, {"hello", "1.2.3"});
    const auto known = cache.recall(hashA);
    BOOST_REQUIRE(known);
    BOOST_TEST(known->plugin == "hello");
    BOOST_TEST(known->version == "1.2.3");
    BOOST_TEST(!cache.recall(hashB).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_torn_memory_counts_as_none, Prepared) {
    BOOST_REQUIRE(cache.store(hashA, "hello", "bytes", {}));
    for (const char* torn : {"", "hello", "hello\n", "hello\n1", "\n1\n", "a\nb\nc\n"}) {
        write("cache/" + hashA + "/probed-1", torn);
        BOOST_TEST(!cache.recall(hashA).has_value(), torn);
    }
}

BOOST_FIXTURE_TEST_CASE(pruning_keeps_what_is_used_and_the_newest, Prepared) {
    std::vector<std::string> copies;
    for (const char c : {'1', '2', '3', '4'}) {
        copies.push_back(*cache.store(std::string(64, c), "p", "x", {}));
        std::this_thread::sleep_for(std::chrono::milliseconds(15));
    }
    fs::create_directory(file("cache/not-ours"));

    cache.prune(1, {copies[0]});

    BOOST_TEST(fs::exists(copies[0]));
    BOOST_TEST(!fs::exists(copies[1]));
    BOOST_TEST(!fs::exists(copies[2]));
    BOOST_TEST(fs::exists(copies[3]));
    BOOST_TEST(fs::exists(file("cache/not-ours")));
}

BOOST_AUTO_TEST_SUITE_END()
