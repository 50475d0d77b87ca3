#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/deployer/folder.hpp"
#include "scratch.hpp"

using namespace postbus;
using namespace postbus::deployer;
using namespace postbus::test;

namespace {

constexpr std::size_t large = 1 << 20;

Signature signatureOf(const Scratch& scratch, const std::string& name) {
    const auto listing = list(scratch.path());
    BOOST_REQUIRE(listing);
    return listing->plugins.at(name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(deploy_folder)

BOOST_AUTO_TEST_CASE(names_say_what_a_file_is) {
    BOOST_TEST((kindOf("hello.so") == FileKind::Plugin));
    BOOST_TEST((kindOf("hello.1.so") == FileKind::Plugin));
    BOOST_TEST((kindOf("hello.wsdl") == FileKind::Document));
    BOOST_TEST((kindOf("types.xsd") == FileKind::Document));
    BOOST_TEST((kindOf("hello.disabled") == FileKind::Disabled));
    for (const char* name : {"", ".", "..", ".so", ".hello.so", ".hello.so.Xa3b", "hello.so.tmp", "hello.so~",
                             "hello.so.part", "hello.txt", "hello", "hello.SO", "hello.so.1", ".disabled", "so"})
        BOOST_TEST((kindOf(name) == FileKind::Ignored), name);
    BOOST_TEST(stemOf("hello.1.so") == "hello.1");
}

BOOST_AUTO_TEST_CASE(a_listing_holds_what_matters) {
    Scratch scratch;
    for (const char* name : {"a.so", "a.wsdl", "t.xsd", "b.disabled", ".c.so", "d.so.part", "notes.txt"})
        scratch.write(name, "x");
    fs::create_directory(scratch.file("folder.so"));
    fs::create_symlink("a.so", scratch.file("link.so"));
    fs::create_symlink("nowhere", scratch.file("dangling.so"));

    const auto listing = list(scratch.path());

    BOOST_REQUIRE(listing);
    BOOST_TEST(listing->plugins.size() == 2u);
    BOOST_TEST(listing->plugins.count("a.so") == 1u);
    BOOST_TEST(listing->plugins.count("link.so") == 1u);
    BOOST_TEST(listing->documents.size() == 2u);
    BOOST_TEST(listing->disabled == std::set<std::string>{"b"}, boost::test_tools::per_element());
    BOOST_TEST(listing->plugins.at("link.so").inode == listing->plugins.at("a.so").inode);
    BOOST_TEST(!list(scratch.file("not-there")).operator bool());
}

BOOST_AUTO_TEST_CASE(a_file_has_rested_when_its_last_change_is_long_enough_ago) {
    Scratch scratch;
    scratch.write("a.so", "x");
    const Signature fresh = signatureOf(scratch, "a.so");
    const milliseconds quiet(60'000), none(0);

    BOOST_TEST(!settled(fresh, quiet, none));
    BOOST_TEST(untilSettled(fresh, quiet, none).count() > 50'000);
    BOOST_TEST(settled(fresh, quiet, quiet));  // seen like that for so long: clocks that disagree don't matter
    Signature old = fresh;
    old.changed -= std::int64_t{61} * 1'000'000'000;
    BOOST_TEST(settled(old, quiet, none));
    Signature future = fresh;
    future.changed += std::int64_t{3'600} * 1'000'000'000;
    BOOST_TEST(!settled(future, milliseconds(1), none));
    BOOST_TEST(settled(future, milliseconds(1), milliseconds(1)));
    // An old file behind a link that was made a moment ago.
    old.linkChanged = fresh.changed;
    BOOST_TEST(!settled(old, quiet, none));
}

BOOST_AUTO_TEST_CASE(a_modification_time_in_the_past_does_not_hide_a_change) {
    Scratch scratch;
    scratch.write("a.so", "one");
    const Signature before = signatureOf(scratch, "a.so");

    scratch.write("new", "two");
    const timespec lastYear[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
    BOOST_REQUIRE(utimensat(AT_FDCWD, scratch.file("new").c_str(), lastYear, 0) == 0);
    fs::rename(scratch.file("new"), scratch.file("a.so"));

    const Signature after = signatureOf(scratch, "a.so");
    BOOST_TEST((after != before));
    BOOST_TEST(!settled(after, milliseconds(60'000), milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_whole) {
    Scratch scratch;
    const std::string bytes(200'000, 'b');
    scratch.write("a.so", bytes);
    const auto read = readSettled(scratch.file("a.so"), signatureOf(scratch, "a.so"), large);
    BOOST_REQUIRE(read);
    BOOST_TEST((*read == bytes));
}

BOOST_AUTO_TEST_CASE(a_file_open_for_writing_is_waited_for) {
    Scratch scratch;
    scratch.write("a.so", "whole");
    const Signature before = signatureOf(scratch, "a.so");
    const int writer = open(scratch.file("a.so").c_str(), O_WRONLY);

    const auto during = readSettled(scratch.file("a.so"), before, large);
    close(writer);

    BOOST_REQUIRE(!during);
    BOOST_TEST((during.error().kind() == Error::Kind::Unavailable));
    BOOST_TEST(readSettled(scratch.file("a.so"), before, large).operator bool());
}

BOOST_AUTO_TEST_CASE(a_file_that_is_another_by_now_is_looked_at_again) {
    Scratch scratch;
    scratch.write("a.so", "one");
    const Signature before = signatureOf(scratch, "a.so");
    scratch.write("b.so", "two");
    fs::rename(scratch.file("b.so"), scratch.file("a.so"));

    const auto changed = readSettled(scratch.file("a.so"), before, large);
    BOOST_REQUIRE(!changed);
    BOOST_TEST((changed.error().kind() == Error::Kind::Unavailable));
    fs::remove(scratch.file("a.so"));
    const auto gone = readSettled(scratch.file("a.so"), before, large);
    BOOST_REQUIRE(!gone);
    BOOST_TEST((gone.error().kind() == Error::Kind::Unavailable));
}

BOOST_AUTO_TEST_CASE(what_is_no_file_or_too_large_is_refused) {
    Scratch scratch;
    BOOST_REQUIRE(mkfifo(scratch.file("pipe.so").c_str(), 0600) == 0);
    scratch.write("large.so", std::string(3 << 20, 'x'));

    const auto pipe = readSettled(scratch.file("pipe.so"), signatureOf(scratch, "pipe.so"), large);
    BOOST_REQUIRE(!pipe);
    BOOST_TEST(pipe.error().message() == "is no regular file");
    const auto tooLarge = readSettled(scratch.file("large.so"), signatureOf(scratch, "large.so"), large);
    BOOST_REQUIRE(!tooLarge);
    BOOST_TEST(tooLarge.error().message() == "is larger than 1 MiB");
}

BOOST_AUTO_TEST_SUITE_END()
