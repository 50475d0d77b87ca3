#include <boost/test/unit_test.hpp>

#include "tests/unit/transports/http/client_fixture.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

struct Told {
    std::mutex mutex;
    std::condition_variable wake;
    int count = 0;
    std::optional<Error> error;
    core::OutboundReply reply;

    core::Sender::Sent callback() {
        return [this](Result<core::OutboundReply> result) {
            const std::lock_guard lock(mutex);
            ++count;
            if (result)
                reply = std::move(*result);
            else
                error = std::move(result).error();
            wake.notify_all();
        };
    }
    bool wait() {
        std::unique_lock lock(mutex);
        return wake.wait_for(lock, std::chrono::seconds(20), [this] { return count > 0; });
    }
};

core::OutboundMessage message() {
    core::OutboundMessage made;
    made.contentType = "text/xml; charset=utf-8";
    made.body.append("<a/>");
    made.headers = {{"SOAPAction", "\"urn:a\""}};
    made.requestId = "r1";
    made.hops = 2;
    return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_sender)

BOOST_AUTO_TEST_CASE(posts_a_message_and_brings_the_reply) {
    std::string seen;
    Told told;
    {
        ScriptServer server([&](ScriptPeer& peer, int) {
            seen = peer.request();
            peer.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
        });
        Client client;
        client.transport.sender().send(server.url("/answers"), message(), Clock::now() + std::chrono::seconds(20),
                                       told.callback());
        BOOST_REQUIRE(told.wait());
    }
    BOOST_TEST(told.reply.status == 202);
    BOOST_TEST(told.count == 1);
    BOOST_TEST(seen.starts_with("POST /answers HTTP/1.1\r\n"));
    for (const std::string_view field : {"Content-Type: text/xml; charset=utf-8\r\n", "Content-Length: 4\r\n",
                                         "SOAPAction: \"urn:a\"\r\n", "X-Request-Id: r1\r\n", "Postbus-Hops: 3\r\n"})
        BOOST_TEST(seen.find(field) != std::string::npos);
    BOOST_TEST(seen.ends_with("\r\n\r\n<a/>"));
}

BOOST_AUTO_TEST_CASE(gives_up_at_the_deadline) {
    ScriptServer server([](ScriptPeer& peer, int) { (void)peer.rest(); });
    Client client;
    Told told;

    client.transport.sender().send(server.url(), message(), Clock::now() + milliseconds(100), told.callback());

    BOOST_REQUIRE(told.wait());
    BOOST_REQUIRE(told.error);
    BOOST_TEST((told.error->kind() == Error::Kind::Timeout));
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_with_an_address) {
    Client client;
    Told told;

    BOOST_TEST(
        client.transport.sender().check("https://a/").error().message() ==
        "the address 'https://a/' is https, which this version does not call yet; use http:// to a TLS proxy near "
        "by");
    client.transport.sender().send("http://a b/", message(), TimePoint::max(), told.callback());

    BOOST_TEST(told.count == 1);
    BOOST_TEST(told.error->message() == "the address 'http://a b/' has no valid host and port");
}

BOOST_AUTO_TEST_CASE(takes_nothing_after_the_stop) {
    Client client;
    client.transport.stop(Clock::now());
    Told told;

    client.transport.sender().send("http://127.0.0.1:1/", message(), TimePoint::max(), told.callback());

    BOOST_TEST(told.count == 1);
    BOOST_TEST((told.error->kind() == Error::Kind::Unavailable));
}

BOOST_AUTO_TEST_SUITE_END()
