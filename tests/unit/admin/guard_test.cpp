#include "admin/guard.hpp"

#include <boost/test/unit_test.hpp>

using namespace postbus;

namespace {

const std::string token = "0123456789abcdef0123456789abcdef";

struct Caller {
    core::RequestHead head;
    std::string authorization = "Bearer " + token;

    explicit Caller(std::string_view host = "127.0.0.1:8182") { head.host = host; }
    Caller& knowing() {
        head.headers.add("authorization", authorization);
        return *this;
    }
    Caller& with(std::string_view name, std::string_view value) {
        head.headers.add(name, value);
        return *this;
    }
    int verdict() const {
        const auto checked = admin::Guard(token).check(head);
        if (checked) return 200;
        return checked.error().kind() == Error::Kind::Unauthorized ? 401 : 403;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(admin_guard)

BOOST_AUTO_TEST_CASE(lets_in_who_knows_the_token) {
    BOOST_TEST(Caller().knowing().verdict() == 200);
    BOOST_TEST(Caller().with("Authorization", "bearer  " + token).verdict() == 200);
}

BOOST_AUTO_TEST_CASE(asks_who_does_not) {
    BOOST_TEST(Caller().verdict() == 401);
    BOOST_TEST(Caller().with("Authorization", "Bearer " + token + "0").verdict() == 401);
    BOOST_TEST(Caller().with("Authorization", "Bearer ").verdict() == 401);
    BOOST_TEST(Caller().with("Authorization", "Basic " + token).verdict() == 401);
    BOOST_TEST(Caller().with("Authorization", token).verdict() == 401);
}

BOOST_AUTO_TEST_CASE(turns_away_a_host_that_is_not_this_machine) {
    for (const char* host : {"localhost", "LOCALHOST:8182", "127.0.0.1", "[::1]", "[::1]:8182"})
        BOOST_TEST(Caller(host).knowing().verdict() == 200, host);
    for (const char* host : {"", "evil.example", "localhost.evil.example:8182", "127.0.0.1.evil.example", "127.0.0.2",
                             "[::1].evil.example", "[::2]:8182", ":8182"})
        BOOST_TEST(Caller(host).knowing().verdict() == 403, host);
}

BOOST_AUTO_TEST_CASE(turns_away_pages_of_other_origins) {
    BOOST_TEST(Caller().knowing().with("Origin", "http://127.0.0.1:8182").verdict() == 200);
    for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:3000",
                               "http://127.0.0.1:8182.evil.example", "http://localhost:8182", ""})
        BOOST_TEST(Caller().knowing().with("Origin", origin).verdict() == 403, origin);
}

BOOST_AUTO_TEST_CASE(trusts_who_may_open_the_unix_socket) {
    Caller caller("anything");
    caller.head.local = true;

    BOOST_TEST(caller.verdict() == 200);
}

BOOST_AUTO_TEST_SUITE_END()
