#include <boost/test/unit_test.hpp>

#include "tests/support/eventually.hpp"
#include "tests/unit/transports/http/client_fixture.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Answers every request with what it got as its body.
void echo(ScriptPeer& peer, int) {
    for (std::string request = peer.request(); !request.empty(); request = peer.request())
        peer.answer(request.substr(request.find("\r\n\r\n") + 4), "Content-Type: text/plain\r\n");
}

/// What a call comes to at a server that says `bytes` and closes.
std::shared_ptr<Asked> against(std::string bytes, const BackendConfig& config = {}, std::string method = "POST",
                               bool takesStream = false) {
    ScriptServer server([&](ScriptPeer& peer, int) {
        if (!peer.request().empty()) peer.send(bytes);
    });
    Client client;
    auto asked = client.make(server.url(), std::move(method), "hello", config);
    asked->takesStream = takesStream;
    return client.ask(asked);
}

std::string failureOf(std::string bytes, bool takesStream = false) {
    const auto asked = against(std::move(bytes), {}, "POST", takesStream);
    return asked->failure ? asked->failure->message() : std::string("no failure");
}

BackendConfig shortTimes() {
    BackendConfig config;
    config.times.firstByte = milliseconds(150);
    return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_client)

BOOST_AUTO_TEST_CASE(sends_a_request_and_gets_its_answer) {
    std::string seen;
    ScriptServer server([&](ScriptPeer& peer, int) {
        seen = peer.request();
        peer.answer("world", "Content-Type: text/plain\r\n");
        (void)peer.rest();
    });
    std::shared_ptr<Asked> asked;
    {
        Client client;
        asked = client.ask(server.url("/it?x=1"));
    }

    BOOST_TEST(asked->status == 200);
    BOOST_TEST(asked->given == "world");
    BOOST_TEST(asked->contentType == "text/plain");
    BOOST_TEST(seen == "POST /it?x=1 HTTP/1.1\r\nHost: " + server.address() +
                           "\r\nContent-Length: 5\r\nVia: 1.1 postbus\r\n\r\nhello");
}

BOOST_AUTO_TEST_CASE(keeps_the_connection_for_the_next_call) {
    ScriptServer server(echo);
    Client client;

    for (int i = 0; i < 20; ++i)
        BOOST_TEST(client.ask(server.url(), "POST", std::to_string(i))->given == std::to_string(i));

    BOOST_TEST(server.connections() == 1);
    BOOST_TEST(client.busy() == 0u);
}

BOOST_AUTO_TEST_CASE(reads_every_way_a_body_can_end) {
    const std::string head = "HTTP/1.1 200 OK\r\n";
    for (const bool stream : {false, true}) {
        BOOST_TEST(against(head + "Content-Length: 3\r\n\r\nabc", {}, "POST", stream)->given == "abc");
        BOOST_TEST(against(head + "\r\nabc", {}, "POST", stream)->given == "abc");
        BOOST_TEST(against("HTTP/1.0 200\r\n\r\nabc", {}, "POST", stream)->given == "abc");
        BOOST_TEST(
            against(head + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", {}, "POST", stream)
                ->given == "abc");
    }
    BOOST_TEST(against(head + "Content-Length: 300\r\n\r\n", {}, "HEAD")->given == "");
    BOOST_TEST(against("HTTP/1.1 204 No Content\r\n\r\n")->status == 204);
    BOOST_TEST(against("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n")->status == 304);
    BOOST_TEST(against("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + head +
                       "Content-Length: 1\r\n\r\nz")
                   ->given == "z");
}

BOOST_AUTO_TEST_CASE(a_large_answer_comes_whole_or_as_a_stream_byte_for_byte) {
    std::string large;
    while (large.size() < 3'000'000) large += std::to_string(large.size()) + ' ';
    const std::string answer =
        "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(large.size()) + "\r\n\r\n" + large;

    const auto whole = against(answer), stream = against(answer, {}, "POST", true);

    BOOST_TEST((whole->given == large));
    BOOST_TEST(!whole->streamed);
    BOOST_TEST((stream->given == large));
    BOOST_TEST(stream->streamed);
}

BOOST_AUTO_TEST_CASE(each_way_to_fail_has_its_own_words) {
    const std::string head = "HTTP/1.1 200 OK\r\n";
    BOOST_TEST(has(failureOf(""), "it closed the connection before it answered"));
    BOOST_TEST(has(failureOf("HTTP/1.1 2"), "it closed the connection inside of its answer"));
    BOOST_TEST(has(failureOf("SSH-2.0-server\r\n"), "its answer is no good HTTP"));
    BOOST_TEST(has(failureOf(head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"), "two Content-Length"));
    BOOST_TEST(has(failureOf(head + "Content-Length: 100\r\n\r\nten bytes."), "of 100 bytes 10 came"));
    BOOST_TEST(
        has(failureOf(head + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), "the chunks of its answer are no good"));
    BOOST_TEST(has(failureOf(head + "Transfer-Encoding: chunked\r\n\r\n5\r\nab"), "inside of its answer"));
    BOOST_TEST(has(failureOf(head + "Transfer-Encoding: chunked\r\n\r\n5\r\nab", true), "inside of its answer"));
    BOOST_TEST(has(failureOf("HTTP/1.1 101 Switching Protocols\r\n\r\n"), "switch to a protocol"));
    BOOST_TEST(has(failureOf(head + std::string(70'000, 'x')), "its answer is no good HTTP"));
    std::string interims;
    for (int i = 0; i < 20; ++i) interims += "HTTP/1.1 102 Processing\r\n\r\n";
    BOOST_TEST(has(failureOf(interims), "interim answers without end"));
}

BOOST_AUTO_TEST_CASE(failures_name_the_backend_and_are_its_fault) {
    const auto asked = against("");

    BOOST_REQUIRE(asked->failure);
    BOOST_TEST(asked->failure->message().starts_with("backend http://127.0.0.1:"));
    BOOST_TEST((asked->failure->kind() == Error::Kind::BadGateway));
    BOOST_TEST(asked->ends == 1);
}

BOOST_AUTO_TEST_CASE(a_refused_connection_is_told_at_once) {
    Client client;

    const auto asked = client.ask("http://" + test::closedAddress() + "/it");

    BOOST_REQUIRE(asked->failure);
    BOOST_TEST(has(asked->failure->message(), "it can't be reached: Connection refused"));
    BOOST_TEST(client.busy() == 0u);
}

BOOST_AUTO_TEST_CASE(a_name_that_leads_nowhere_is_told) {
    Client client;

    const auto asked = client.ask("http://no-such-host.invalid/it");

    BOOST_REQUIRE(asked->failure);
    BOOST_TEST(has(asked->failure->message(), "the host name no-such-host.invalid can't be resolved"));
}

BOOST_AUTO_TEST_CASE(a_name_is_resolved_apart_from_the_loop) {
    ScriptServer server(echo);
    Client client;

    const auto asked = client.ask("http://localhost" + server.address().substr(server.address().find(':')) + "/it");

    BOOST_TEST(asked->given == "hello");
}

BOOST_AUTO_TEST_CASE(a_backend_that_does_not_begin_to_answer_is_given_up) {
    ScriptServer server([](ScriptPeer& peer, int) { (void)peer.rest(); });
    Client client;

    const auto asked = client.ask(server.url(), "POST", "hello", shortTimes());

    BOOST_REQUIRE(asked->failure);
    BOOST_TEST((asked->failure->kind() == Error::Kind::Timeout));
    BOOST_TEST(has(asked->failure->message(), "it has not begun to answer within 0.15 s"));
}

BOOST_AUTO_TEST_CASE(a_backend_that_stops_inside_of_its_answer_is_given_up) {
    ScriptServer server([](ScriptPeer& peer, int) {
        (void)peer.request();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
        (void)peer.rest();
    });
    Client client;

    const auto asked = client.ask(server.url(), "POST", "hello", shortTimes());

    BOOST_REQUIRE(asked->failure);
    BOOST_TEST(has(asked->failure->message(), "nothing more of its answer came for 0.15 s"));
}

BOOST_AUTO_TEST_CASE(a_backend_that_drips_is_given_up_at_the_total_time) {
    ScriptServer server([](ScriptPeer& peer, int) {
        (void)peer.request();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        for (int i = 0; i < 100; ++i) {
            peer.send("x");
            std::this_thread::sleep_for(milliseconds(10));
        }
    });
    Client client;
    BackendConfig config;
    config.times.total = milliseconds(200);

    const auto asked = client.ask(server.url(), "POST", "hello", config);

    BOOST_REQUIRE(asked->failure);
    BOOST_TEST(has(asked->failure->message(), "it was not done in time"));
}

BOOST_AUTO_TEST_CASE(an_answer_beyond_the_limit_is_refused_however_it_comes) {
    BackendConfig config;
    config.answer = ByteSize{1'000};
    const std::string body(2'000, 'x'), head = "HTTP/1.1 200 OK\r\n";
    for (const std::string& answer : {head + "Content-Length: 2000\r\n\r\n" + body, head + "\r\n" + body,
                                      head + "Transfer-Encoding: chunked\r\n\r\n7d0\r\n" + body + "\r\n0\r\n\r\n"}) {
        const auto asked = against(answer, config);
        BOOST_REQUIRE(asked->failure);
        BOOST_TEST(has(asked->failure->message(), "larger than") != has(asked->failure->message(), "more than"));
    }
}

BOOST_AUTO_TEST_CASE(a_kept_connection_that_was_closed_is_replaced_for_a_get) {
    ScriptServer server([](ScriptPeer& peer, int connection) {
        (void)peer.request();
        peer.answer("first");
        // The second request on it is read and never answered.
        if (connection == 1)
            (void)peer.request();
        else
            echo(peer, connection);
    });
    Client client;
    BOOST_TEST(client.ask(server.url(), "GET", "")->given == "first");

    const auto asked = client.ask(server.url(), "GET", "");

    BOOST_TEST(asked->given == "first");
    BOOST_TEST(server.connections() == 2);
}

BOOST_AUTO_TEST_CASE(a_post_of_which_a_byte_has_left_is_never_sent_twice) {
    std::atomic<int> posts{0};
    ScriptServer server([&](ScriptPeer& peer, int) {
        (void)peer.request();
        peer.answer("first");
        if (!peer.request().empty()) ++posts;
    });
    Client client;
    BOOST_TEST(client.ask(server.url())->given == "first");

    const auto asked = client.ask(server.url());

    BOOST_REQUIRE(asked->failure);
    BOOST_TEST(has(asked->failure->message(), "it closed the connection before it answered"));
    BOOST_TEST(posts == 1);
    BOOST_TEST(server.connections() == 1);
}

BOOST_AUTO_TEST_CASE(a_connection_that_the_backend_has_closed_is_not_used_for_a_post) {
    ScriptServer server([](ScriptPeer& peer, int) {
        (void)peer.request();
        peer.answer("once");
    });
    Client client;

    for (int i = 1; i <= 5; ++i) {
        BOOST_TEST(client.ask(server.url())->given == "once");
        BOOST_REQUIRE(test::eventually([&] { return server.closed() == i; }));
    }
    BOOST_TEST(server.connections() == 5);
}

BOOST_AUTO_TEST_CASE(connection_close_and_bytes_too_many_end_the_connection) {
    ScriptServer server([](ScriptPeer& peer, int connection) {
        (void)peer.request();
        std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n";
        answer += connection == 1 ? "Connection: close\r\n\r\nx" : "\r\nx";
        if (connection == 2) answer += "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
        peer.send(answer);
        (void)peer.rest();
    });
    Client client;

    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(client.ask(server.url(), "GET", "")->given == "x");
    }
    BOOST_TEST(server.connections() == 3);
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_hears_nothing_and_closes_its_connection) {
    std::atomic<bool> got{false}, closed{false};
    Client client;
    std::shared_ptr<Asked> asked;
    {
        ScriptServer server([&](ScriptPeer& peer, int) {
            got = !peer.request().empty();
            (void)peer.rest();  // returns when the caller closes
            closed = true;
        });
        asked = client.make(server.url());
        client.run([&](ClientPool& pool) { pool.start(asked); });
        BOOST_REQUIRE(test::eventually([&] { return got.load(); }));
        client.run([&](ClientPool&) { asked->cancel(); });
        BOOST_TEST(client.busy() == 0u);
    }
    BOOST_TEST(closed.load());
    BOOST_TEST(asked->ends == 0);
}

BOOST_AUTO_TEST_CASE(credentials_and_fixed_fields_are_sent) {
    std::string seen;
    BackendConfig config;
    config.credentials.user = "Aladdin";
    config.credentials.password = "open sesame";
    config.headers.set = {{"X-Api-Key", "k"}};
    ScriptServer server([&](ScriptPeer& peer, int) {
        seen = peer.request();
        peer.answer("");
        (void)peer.rest();
    });
    {
        Client client;
        client.ask(server.url(), "POST", "hello", config);
    }
    BOOST_TEST(has(seen, "\r\nAuthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"));
    BOOST_TEST(has(seen, "\r\nX-Api-Key: k\r\n"));
}

BOOST_AUTO_TEST_CASE(a_proxy_gets_the_whole_address) {
    std::string seen;
    BackendConfig config;
    ScriptServer proxy([&](ScriptPeer& peer, int) {
        seen = peer.request();
        peer.answer("by proxy");
        (void)peer.rest();
    });
    config.proxy = proxy.url("");
    std::string given;
    {
        Client client;
        given = client.ask("http://backend.invalid:81/it?x=1", "POST", "hello", config)->given;
    }
    BOOST_TEST(given == "by proxy");
    BOOST_TEST(seen.starts_with("POST http://backend.invalid:81/it?x=1 HTTP/1.1\r\nHost: backend.invalid:81\r\n"));
}

BOOST_AUTO_TEST_CASE(stopping_gives_up_calls_under_way) {
    ScriptServer server([](ScriptPeer& peer, int) { (void)peer.rest(); });
    auto client = std::make_unique<Client>();
    const auto asked = client->make(server.url());
    client->run([&](ClientPool& pool) { pool.start(asked); });

    client.reset();

    BOOST_TEST(asked->ends == 1);
    BOOST_REQUIRE(asked->failure);
    BOOST_TEST((asked->failure->kind() == Error::Kind::Unavailable));
}

BOOST_AUTO_TEST_SUITE_END()
