#include <boost/test/unit_test.hpp>

#include "elf_support.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

#define TEST_HAS(text, part) BOOST_TEST(has(text, part), "\"" << (text) << "\" lacks \"" << (part) << '"')

BOOST_AUTO_TEST_SUITE(elf_inspect)

BOOST_AUTO_TEST_CASE(good_plugins_pass_without_a_word) {
    for (const char* name : {"echo", "types", "hello_v2", "deployer/v1", "deployer/origin"}) {
        BOOST_TEST(verdict(plugin(name)) == "", name);
        const auto report = elf::inspect(plugin(name), "postbus_plugin_entry_v1");
        BOOST_REQUIRE(report);
    }
    BOOST_TEST(elf::inspect(plugin("deployer/v1"), "postbus_plugin_entry_v1")->warnings.empty());
}

BOOST_AUTO_TEST_CASE(files_that_are_no_libraries_are_named_as_what_they_are) {
    BOOST_TEST(verdict("") == "is empty");
    TEST_HAS(verdict("#!/bin/sh\necho hello\n"), "is no shared library");
    TEST_HAS(verdict(plugin("broken/text")), "is no shared library");
    TEST_HAS(verdict("\x7f"), "is cut off");
    TEST_HAS(verdict(fileBytes(POSTBUS_PROBE)), "is a program, not a plugin");
}

BOOST_AUTO_TEST_CASE(another_machine_is_refused) {
    TEST_HAS(verdict(plugin("broken/wrong_machine")), "is built for another machine");
    TEST_HAS(verdict(plugin("broken/wrong_class")), "is built for another machine");
    Patch order(plugin("deployer/v1"));
    order.bytes[EI_DATA] = static_cast<char>(3 - order.bytes[EI_DATA]);
    TEST_HAS(verdict(order.bytes), "is built for another machine");
}

BOOST_AUTO_TEST_CASE(an_object_file_is_refused) {
    Patch object(plugin("deployer/v1"));
    auto header = object.header();
    header.e_type = ET_REL;
    object.put(0, header);
    TEST_HAS(verdict(object.bytes), "link it with -shared");
}

// The shortest cut that a loader would take lies far below the whole file: it maps what is there.
BOOST_AUTO_TEST_CASE(every_cut_is_refused_down_to_the_last_byte) {
    const std::string whole = plugin("deployer/v1");
    for (std::size_t size = 0; size < whole.size(); size += size < whole.size() - 4096 ? 7 : 1) {
        const std::string why = verdict(whole.substr(0, size));
        BOOST_REQUIRE_MESSAGE(!why.empty(), "passed at " << size << " of " << whole.size());
    }
    TEST_HAS(verdict(whole.substr(0, whole.size() - 1)), "is cut off: the section table ends at byte");
    for (const char* name : {"cut_10", "cut_50", "cut_75", "cut_99", "cut_last_byte"})
        BOOST_TEST(!verdict(plugin("broken/" + std::string(name))).empty(), name);
}

// As a file looks whose size was set before its bytes came.
BOOST_AUTO_TEST_CASE(an_end_of_zeroes_is_refused_however_short) {
    for (const std::size_t zeroes : {std::size_t{64}, std::size_t{4096}, std::size_t{0}}) {
        std::string bytes = plugin("deployer/v1");
        const std::size_t count = zeroes ? zeroes : bytes.size() / 2;
        bytes.replace(bytes.size() - count, count, count, '\0');
        BOOST_TEST(!verdict(bytes).empty(), count);
    }
    TEST_HAS(verdict(plugin("broken/zero_tail")), "is damaged");
}

BOOST_AUTO_TEST_CASE(a_missing_entry_is_named) {
    TEST_HAS(verdict(plugin("bad/no_entry")), "does not export the function postbus_plugin_entry_v1");
}

BOOST_AUTO_TEST_CASE(an_entry_of_another_version_is_named_with_the_remedy) {
    Patch other(plugin("deployer/v1"));
    for (std::size_t at = 0; (at = other.bytes.find("postbus_plugin_entry_v1", at)) != std::string::npos; ++at)
        other.bytes[at + 22] = '2';
    TEST_HAS(verdict(other.bytes), "another version of the plugin interface (postbus_plugin_entry_v2)");
}

BOOST_AUTO_TEST_CASE(what_can_not_be_unloaded_is_refused_with_the_flag_to_change) {
    TEST_HAS(verdict(plugin("bad/unique")), "-fno-gnu-unique");
    TEST_HAS(verdict(plugin("deployer/nodelete")), "-z,nodelete");
    TEST_HAS(verdict(plugin("deployer/on_exit")), "on_exit");
}

BOOST_AUTO_TEST_CASE(an_executable_stack_is_refused_also_when_it_is_merely_not_ruled_out) {
    TEST_HAS(verdict(plugin("deployer/execstack")), "noexecstack");
    Patch silent(plugin("deployer/v1"));
    auto stack = silent.get<Elf64_Phdr>(silent.segment(PT_GNU_STACK));
    stack.p_type = PT_NULL;
    silent.put(silent.segment(PT_GNU_STACK), stack);
    TEST_HAS(verdict(silent.bytes), "noexecstack");
}

BOOST_AUTO_TEST_CASE(text_relocations_are_refused) {
    Patch flagged(plugin("deployer/v1"));
    BOOST_REQUIRE(flagged.dynamic(DT_FLAGS) != 0u);
    flagged.setDynamic(DT_FLAGS, DT_FLAGS, DF_TEXTREL);
    TEST_HAS(verdict(flagged.bytes), "-fPIC");
    Patch tagged(plugin("deployer/v1"));
    tagged.setDynamic(DT_RELACOUNT, DT_TEXTREL, 0);
    TEST_HAS(verdict(tagged.bytes), "-fPIC");
}

BOOST_AUTO_TEST_CASE(a_search_path_outside_of_its_folder_is_refused) {
    TEST_HAS(verdict(plugin("deployer/rpath")), "\"/opt/elsewhere\"");
    // "$ORIGIN" cut short, or with a way up.
    Patch escaping(plugin("deployer/origin"));
    const std::size_t at = escaping.bytes.find("$ORIGIN");
    BOOST_REQUIRE(at != std::string::npos);
    escaping.bytes.replace(at, 7, "$ORIGI:");
    TEST_HAS(verdict(escaping.bytes), "RUNPATH");
}

BOOST_AUTO_TEST_CASE(threads_are_warned_of) {
    const auto report = elf::inspect(plugin("deployer/later"), "postbus_plugin_entry_v1");
    BOOST_REQUIRE(report);
    BOOST_REQUIRE(report->warnings.size() == 1u);
    TEST_HAS(report->warnings[0], "starts threads");
}

BOOST_AUTO_TEST_SUITE_END()
