#include <boost/test/unit_test.hpp>

#include <random>

#include "elf_support.hpp"

using namespace postbus;
using namespace postbus::test;

// Under the address sanitizer a read outside of the bytes ends these tests; the copies are as large as their content,
// so that a read behind the end is seen.
BOOST_AUTO_TEST_SUITE(elf_hostile_bytes)

BOOST_AUTO_TEST_CASE(any_change_of_some_bytes_ends_in_a_verdict) {
    const std::string whole = plugin("deployer/v1");
    Patch where(whole);
    const std::size_t dynamic = where.get<Elf64_Phdr>(where.segment(PT_DYNAMIC)).p_offset;
    std::mt19937 random(20'240'229);
    const auto pick = [&](std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };

    std::size_t refused = 0;
    constexpr int rounds = 20'000;
    for (int i = 0; i < rounds; ++i) {
        std::string bytes = whole;
        for (std::size_t n = 1 + pick(4); n > 0; --n) {
            // Where structure is: the headers, the dynamic section, or anywhere.
            const std::size_t at = i % 3 == 0   ? pick(64 + 16 * 56)
                                   : i % 3 == 1 ? dynamic + pick(400)
                                                : pick(whole.size());
            if (at >= bytes.size()) continue;
            const unsigned char extremes[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
            bytes[at] = static_cast<char>(pick(2) ? extremes[pick(5)] : pick(256));
        }
        refused += verdict(bytes).empty() ? 0 : 1;
    }
    BOOST_TEST(refused > 1'000u);
    BOOST_TEST(refused < static_cast<std::size_t>(rounds));
}

BOOST_AUTO_TEST_CASE(words_of_extreme_value_at_every_place_end_in_a_verdict) {
    const std::string whole = plugin("deployer/v1");
    Patch where(whole);
    const auto section = where.get<Elf64_Phdr>(where.segment(PT_DYNAMIC));
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < 64 + std::size_t{where.header().e_phnum} * 56; at += 2) places.push_back(at);
    for (std::size_t at = section.p_offset; at < section.p_offset + section.p_filesz; at += 8) places.push_back(at);

    for (const std::size_t at : places)
        for (const std::uint64_t value :
             {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7fffffffffffffff}, std::uint64_t{0xffffffffffffffff},
              std::uint64_t{0xfffffffffffffff0}, std::uint64_t{whole.size()}, std::uint64_t{whole.size() - 1}}) {
            Patch patched(whole);
            patched.put(at, value);
            (void)verdict(patched.bytes);
        }
}

BOOST_AUTO_TEST_CASE(hash_tables_that_lie_are_refused) {
    Patch shortOf(plugin("deployer/v1"));
    // A hash table at the very end of what is mapped: its buckets would lie outside.
    const auto load = shortOf.get<Elf64_Phdr>(shortOf.segment(PT_LOAD));
    if (shortOf.dynamic(DT_HASH)) shortOf.setDynamic(DT_HASH, DT_DEBUG, 0);
    BOOST_REQUIRE(shortOf.dynamic(DT_GNU_HASH) != 0u);
    shortOf.setDynamic(DT_GNU_HASH, DT_GNU_HASH, load.p_vaddr + load.p_filesz - 8);
    BOOST_TEST(!verdict(shortOf.bytes).empty());

    Patch none(plugin("deployer/v1"));
    if (none.dynamic(DT_HASH)) none.setDynamic(DT_HASH, DT_DEBUG, 0);
    none.setDynamic(DT_GNU_HASH, DT_DEBUG, 0);
    BOOST_TEST(verdict(none.bytes) == "is damaged: it has no usable symbol hash table; build or copy it again");
}

BOOST_AUTO_TEST_CASE(heads_of_random_bytes_end_in_a_verdict) {
    Patch sound(plugin("deployer/v1"));
    const auto machine = sound.header().e_machine;
    std::mt19937 random(7);
    for (int i = 0; i < 5'000; ++i) {
        std::string bytes(64 + random() % 512, '\0');
        for (char& c : bytes) c = static_cast<char>(random());
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_DYN;
        header.e_machine = machine;
        header.e_version = EV_CURRENT;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = static_cast<Elf64_Half>(1 + random() % 8);
        header.e_phoff = 64;
        std::memcpy(bytes.data(), &header, sizeof header);
        BOOST_TEST(!verdict(bytes).empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
