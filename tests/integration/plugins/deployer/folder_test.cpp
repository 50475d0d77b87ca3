#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "deploy_folder.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::PluginState;

BOOST_AUTO_TEST_SUITE(watched_folder)

BOOST_AUTO_TEST_CASE(a_folder_that_is_missing_is_made) {
    DeployFolder place;
    fs::remove_all(place.folder);
    place.start();
    BOOST_TEST(fs::is_directory(place.folder));
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "1"));
}

// Y09's kind: the watch survives what it watches.
BOOST_AUTO_TEST_CASE(a_folder_that_is_replaced_is_watched_again) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    for (int i = 0; i < 5; ++i) {
        const std::string version = std::to_string(i % 2 + 2);
        fs::create_directory(place.root / "next");
        copyOver(DeployFolder::fixture("v" + version), place.root / "next/x.so");
        fs::rename(place.folder, place.root / ("old" + std::to_string(i)));
        fs::rename(place.root / "next", place.folder);
        BOOST_TEST(place.becomes("/fixture", version));
    }
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "1", milliseconds(1'500)));  // by a hint, not by the regular look
}

BOOST_AUTO_TEST_CASE(while_the_folder_is_gone_what_serves_goes_on) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Log log;

    fs::rename(place.folder, place.root / "away");
    BOOST_TEST(eventually([&] { return log.count("plugin.folder.missing") == 1; }));
    BOOST_TEST(place.call("/fixture") == "1");

    fs::create_directory(place.folder);
    copyOver(DeployFolder::fixture("v2"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "2"));
    BOOST_TEST(log.count("plugin.folder.watched") == 1u);
}

BOOST_AUTO_TEST_CASE(a_folder_that_no_descriptor_is_left_for_is_not_told_to_be_missing) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Log log;

    rlimit whole{};
    getrlimit(RLIMIT_NOFILE, &whole);
    const rlimit none{3, whole.rlim_max};
    const auto told = [&] { return log.count("plugin.folder.unreadable") == 1; };
    // The log is read with a descriptor, too: only between two of these times.
    for (int tries = 0; tries < 20 && !told(); ++tries) {
        setrlimit(RLIMIT_NOFILE, &none);
        fs::last_write_time(place.folder / "x.so", fs::file_time_type::clock::now());  // a hint
        std::this_thread::sleep_for(milliseconds(300));
        setrlimit(RLIMIT_NOFILE, &whole);
    }

    BOOST_TEST(told());
    BOOST_TEST(log.line("plugin.folder.unreadable").find("reason=\"Too many open files\"") != std::string::npos);
    BOOST_TEST(log.count("plugin.folder.missing") == 0u);
    BOOST_TEST(eventually([&] { return log.count("plugin.folder.watched") == 1; }));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_renamed_is_not_refused_as_a_second_one) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Log log;

    fs::rename(place.folder / "x.so", place.folder / "y.so");
    const auto byItsNewName = [&] {
        const auto rows = place.deployer->status();
        return std::any_of(rows.begin(), rows.end(),
                           [](const auto& each) { return each.state == PluginState::Active && each.file == "y.so"; });
    };
    BOOST_TEST(eventually(byItsNewName));
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(log.count("plugin.refused") == 0u);
    BOOST_TEST(!fs::exists(place.folder / "y.failed"));
}

BOOST_AUTO_TEST_CASE(a_folder_deleted_and_made_anew_at_once_is_watched) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    for (int i = 0; i < 10; ++i) {
        fs::remove_all(place.folder);
        fs::create_directory(place.folder);
        const std::string version = std::to_string(i % 2 + 1);
        copyOver(DeployFolder::fixture("v" + version), place.folder / "x.so");
        BOOST_TEST(place.becomes("/fixture", version, milliseconds(1'500)));
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_taken_from_a_folder_that_others_may_write_to) {
    DeployFolder place(true);
    copyOver(DeployFolder::fixture("other"), place.bundled / "other.so");
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    chmod(place.folder.c_str(), 0777);
    Log log;
    place.start();
    BOOST_TEST(place.call("/fixture") == "404");
    BOOST_TEST(place.call("/other") == "1");
    BOOST_TEST(log.count("plugin.folder.insecure") == 1u);
    BOOST_TEST(place.deployer->folderTrouble() ==
               "its group or others may write to it, and so may run code in the bus; chmod go-w it");

    chmod(place.folder.c_str(), 0755);
    BOOST_TEST(place.becomes("/fixture", "1"));
    BOOST_TEST(place.deployer->folderTrouble() == "");
    // And what becomes of it while the bus runs: what serves goes on, and nothing new comes.
    chmod(place.folder.c_str(), 0775);
    BOOST_TEST(eventually([&] { return log.count("plugin.folder.insecure") == 2; }));
    copyOver(DeployFolder::fixture("v2"), place.folder / "x.so");
    std::this_thread::sleep_for(milliseconds(700));
    BOOST_TEST(place.call("/fixture") == "1");
    if (geteuid() == 0) {
        chmod(place.folder.c_str(), 0755);
        BOOST_REQUIRE(chown(place.folder.c_str(), 12345, 0) == 0);
        BOOST_TEST(eventually([&] {
            return place.deployer->folderTrouble() ==
                   "it belongs to user 12345, and so may run code in the bus; chown it";
        }));
        BOOST_REQUIRE(chown(place.folder.c_str(), 0, 0) == 0);
    }
    chmod(place.folder.c_str(), 0755);
    BOOST_TEST(place.becomes("/fixture", "2"));
}

BOOST_AUTO_TEST_CASE(many_files_at_once_all_end_up_serving_or_refused) {
    DeployFolder place;
    place.start();
    copyOver(DeployFolder::fixture("v1"), place.folder / "a.so");
    copyOver(DeployFolder::fixture("other"), place.folder / "b.so");
    for (int i = 0; i < 30; ++i)
        shell("echo rubbish" + std::to_string(i) + " > " + (place.folder / ("r" + std::to_string(i) + ".so")).string());
    BOOST_TEST(place.becomes("/fixture", "1"));
    BOOST_TEST(place.becomes("/other", "1"));
    BOOST_TEST(place.reasonOf("r29.so", PluginState::Refused).has_value());
    BOOST_TEST(eventually([&] { return place.deployer->status().size() == 32; }));
}

BOOST_AUTO_TEST_CASE(a_cache_that_was_emptied_is_filled_again) {
    DeployFolder place(true);
    copyOver(DeployFolder::fixture("v1"), place.bundled / "fixture.so");
    copyOver(DeployFolder::fixture("v2"), place.folder / "x.so");
    place.start();
    BOOST_TEST(place.call("/fixture") == "2");
    for (const auto& each : fs::directory_iterator(place.cache)) fs::remove_all(each);

    BOOST_TEST(place.call("/fixture") == "2");
    fs::remove(place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "1"));
}

BOOST_AUTO_TEST_CASE(a_missing_probe_program_is_an_error_at_the_start) {
    DeployFolder place;
    place.options.probe = "/nowhere/postbus-probe";
    BOOST_CHECK_EXCEPTION(place.start(), std::runtime_error, [](const auto& error) {
        return std::string(error.what()).find("/nowhere/postbus-probe") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(an_unusable_cache_is_an_error_at_the_start) {
    DeployFolder place;
    shell("echo x > " + place.cache.string());
    BOOST_CHECK_THROW(place.start(), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
