#include "core/exchange/exchange_ids.hpp"

#include <boost/test/unit_test.hpp>

#include <charconv>
#include <string>

using postbus::core::ExchangeIds;

BOOST_AUTO_TEST_SUITE(exchange_ids)

BOOST_AUTO_TEST_CASE(count_up_in_hexadecimal_behind_one_prefix) {
    ExchangeIds ids;
    std::string prefix;
    for (std::uint64_t number = 1; number <= 70'000; ++number) {
        const std::string_view id = ids.next().view();
        if (prefix.empty()) prefix = id.substr(0, 8);
        BOOST_REQUIRE_EQUAL(id.substr(0, 8), prefix);
        std::uint64_t read = 0;
        const auto end = std::from_chars(id.data() + 8, id.data() + id.size(), read, 16);
        BOOST_REQUIRE(end.ptr == id.data() + id.size());
        BOOST_REQUIRE_EQUAL(read, number);
        BOOST_REQUIRE(id[8] != '0');
    }
    BOOST_TEST(prefix.find_first_not_of("0123456789abcdef") == 7u);
    BOOST_TEST(prefix.back() == '-');
    BOOST_TEST(ExchangeIds().next().view().substr(0, 8) != prefix);
}

BOOST_AUTO_TEST_SUITE_END()
