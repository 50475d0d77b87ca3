#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "deploy_folder.hpp"

using namespace postbus;
using namespace postbus::test;
using deployer::PluginState;

namespace {

/// One way of bringing a file over the one that serves; FROM and TO stand for the two.
struct Way {
    const char* name;
    const char* command;
};
std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }

const Way ways[] = {
    {"cp", "cp FROM TO"},
    {"cp and old mtime", "cp FROM TO && touch -d '2020-01-01' TO"},
    {"mv", "cp FROM TO.tmp && mv TO.tmp TO"},
    {"mv of an older file", "cp FROM TO.tmp && touch -d '2020-01-01' TO.tmp && mv TO.tmp TO"},
    {"install", "install -m 644 FROM TO"},
    {"rsync", "rsync -a FROM TO"},
    {"rsync in place", "rsync -a --inplace FROM TO"},
    {"shell", "cat FROM > TO"},
    {"tar",
     "cp FROM TO.tmp && cd $(dirname TO) && tar cf t.tar $(basename TO.tmp) --transform='s/.tmp$//' && "
     "rm TO.tmp && tar xf t.tar && rm t.tar"},
    {"link", "cp FROM TO.1 && ln -sfn TO.1 TO"},
    {"hard link", "rm TO && ln FROM TO || cp FROM TO"},
    {"delete, then copy", "rm TO && sleep 0.1 && cp FROM TO"},
    {"pieces with pauses",
     "head -c 5000 FROM > TO && sleep 0.15 && tail -c +5001 FROM | head -c 5000 >> TO && "
     "sleep 0.15 && tail -c +10001 FROM >> TO"},
};

std::string filledIn(std::string command, const fs::path& from, const fs::path& to) {
    for (const auto& [mark, path] : {std::pair{"FROM", from}, std::pair{"TO", to}})
        for (std::size_t at = 0; (at = command.find(mark, at)) != std::string::npos; at += path.string().size())
            command.replace(at, std::string_view(mark).size(), path.string());
    return command;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replace)

// R01, R07: whatever the way, callers see the old version, then the new one, and nothing else.
BOOST_DATA_TEST_CASE(each_way_of_copying_ends_in_the_new_version_without_a_failed_call,
                     boost::unit_test::data::make(ways), way) {
    DeployFolder place;
    place.options.quiet = milliseconds(600);  // plenty for a machine that is busy with other things
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Load load(place.rig, {"1", "2"});

    shell(filledIn(way.command, DeployFolder::fixture("v2"), place.folder / "x.so"));

    BOOST_TEST(place.becomes("/fixture", "2"));
    load.stop();
    BOOST_TEST(load.wrong() == "");
    BOOST_TEST(load.backwards() == 0u);
    BOOST_TEST(place.mappedBecomes(1));
}

BOOST_AUTO_TEST_CASE(a_slow_writer_is_waited_for_however_long_its_pauses) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Load load(place.rig, {"1", "2"});

    // Ten pieces with 300 ms between, in place: longer pauses than the quiet period, but the file stays open.
    shell("F=" + DeployFolder::fixture("v2").string() + "; S=$(($(stat -c %s $F) / 10 + 1)); exec 5> " +
          (place.folder / "x.so").string() +
          "; for i in 0 1 2 3 4 5 6 7 8 9; do dd if=$F bs=$S skip=$i count=1 status=none >&5; sleep 0.3; done");

    BOOST_TEST(place.becomes("/fixture", "2"));
    load.stop();
    BOOST_TEST(load.wrong() == "");
}

BOOST_AUTO_TEST_CASE(a_target_that_changes_behind_a_link_is_noticed_by_the_regular_look) {
    DeployFolder place;
    fs::create_directory(place.root / "elsewhere");
    copyOver(DeployFolder::fixture("v1"), place.root / "elsewhere/real.so");
    fs::create_symlink(place.root / "elsewhere/real.so", place.folder / "x.so");
    place.start();
    BOOST_TEST(place.call("/fixture") == "1");

    copyOver(DeployFolder::fixture("v2"), place.root / "elsewhere/real.so");

    BOOST_TEST(place.becomes("/fixture", "2", milliseconds(7'000)));
}

BOOST_AUTO_TEST_CASE(the_same_content_again_changes_nothing) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    const auto endpoint = place.deployer->services().at(0).endpoint;

    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    shell("touch " + (place.folder / "x.so").string());
    shell("touch -d 2001-01-01 " + (place.folder / "x.so").string());
    moveInto(DeployFolder::fixture("v1"), place.folder / "x.so");
    std::this_thread::sleep_for(milliseconds(700));

    BOOST_TEST((place.deployer->services().at(0).endpoint == endpoint));
    BOOST_TEST(place.call("/fixture") == "1");
    // Whatever it has gone through, it has come back to where it was.
    BOOST_TEST(eventually([&] { return place.deployer->changes().back().state == PluginState::Active; }));
    BOOST_TEST(place.deployer->counts()[static_cast<std::size_t>(PluginState::Loading)] == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_off_is_refused_and_the_version_that_serves_stays) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Load load(place.rig, {"1", "3"});
    Log log;

    shell("head -c 9000 " + DeployFolder::fixture("v2").string() + " > " + (place.folder / "x.so").string());
    const auto reason = place.reasonOf("x.so", PluginState::Refused);
    BOOST_REQUIRE(reason);
    BOOST_TEST(reason->find("is cut off") != std::string::npos, *reason);
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(place.reasonOf("x.so", PluginState::Active).has_value());

    // The same bad bytes again, and touched: known, and told once.
    shell("touch " + (place.folder / "x.so").string());
    shell("head -c 9000 " + DeployFolder::fixture("v2").string() + " > " + (place.folder / "x.so").string());
    std::this_thread::sleep_for(milliseconds(600));
    BOOST_TEST(log.count("plugin.refused") == 1u);
    BOOST_TEST(log.line("plugin.refused").find("x.so") != std::string::npos);

    copyOver(DeployFolder::fixture("v3"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "3"));
    load.stop();
    BOOST_TEST(load.wrong() == "");
    BOOST_TEST(!place.reasonOf("x.so", PluginState::Refused, milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(back_to_the_version_before_is_a_replacement_like_any_other) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    for (const char* version : {"2", "1", "2", "1"}) {
        copyOver(DeployFolder::fixture("v" + std::string(version)), place.folder / "x.so");
        BOOST_TEST(place.becomes("/fixture", version));
    }
    BOOST_TEST(place.mappedBecomes(1));
}

BOOST_AUTO_TEST_CASE(a_file_that_becomes_another_plugin_on_the_same_path_leaves_no_gap) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();
    Load load(place.rig, {"1", "renamed"});

    copyOver(DeployFolder::fixture("renamed"), place.folder / "x.so");

    BOOST_TEST(place.becomes("/fixture", "renamed"));
    load.stop();
    BOOST_TEST(load.wrong() == "");
    BOOST_REQUIRE(eventually([&] { return place.deployer->status().size() == 1; }));
    BOOST_TEST(place.deployer->status().at(0).name == "renamed");
}

BOOST_AUTO_TEST_CASE(a_replacement_that_does_not_start_leaves_the_version_that_serves) {
    DeployFolder place;
    copyOver(DeployFolder::fixture("v1"), place.folder / "x.so");
    place.start();

    copyOver(DeployFolder::fixture("start_fails"), place.folder / "x.so");

    const auto reason = place.reasonOf("x.so", PluginState::Failed);
    BOOST_REQUIRE(reason);
    BOOST_TEST(*reason == "service Fixture could not be started (7): the fixture was told not to start");
    BOOST_TEST(place.call("/fixture") == "1");
    BOOST_TEST(place.mappedBecomes(1));
    copyOver(DeployFolder::fixture("v2"), place.folder / "x.so");
    BOOST_TEST(place.becomes("/fixture", "2"));
}

BOOST_AUTO_TEST_SUITE_END()
