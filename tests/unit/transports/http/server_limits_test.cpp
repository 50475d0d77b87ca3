#include <boost/test/unit_test.hpp>

#include "formats/mime/content_coding.hpp"
#include "tests/unit/transports/http/server_fixture.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

using Limits = HttpLimits;

/// A server with its limits set so.
struct Limited : Server {
    explicit Limited(const std::function<void(Limits&)>& set, unsigned threads = 1)
        : Server([&](HttpConfig& made) { set(made.limits); }, threads) {}
};

milliseconds since(TimePoint start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

}  // namespace

BOOST_AUTO_TEST_SUITE(http_limits)

BOOST_AUTO_TEST_CASE(connections_beyond_the_limit_get_503) {
    Limited server([](Limits& limits) { limits.connections = 2; });
    RawClient first = server.connect(), second = server.connect();
    BOOST_TEST(first.call(post("echo 1")).status == 200);
    BOOST_TEST(second.call(post("echo 2")).status == 200);

    RawClient third = server.connect();
    third.send(post("echo 3"));
    const Response response = third.read();
    BOOST_TEST(response.status == 503);
    BOOST_TEST(response.has("retry-after"));
    BOOST_TEST(response.field("connection") == "close");
    BOOST_TEST(third.ended());

    BOOST_TEST(first.call(post("echo 1")).status == 200);
    second.close();
    BOOST_TEST(test::eventually([&] { return server.transport->listeners()[0].connections == 1; }));
    BOOST_TEST(server.connect().call(post("echo 4")).status == 200);
}

BOOST_AUTO_TEST_CASE(heads_beyond_the_limit_get_431_or_414) {
    Limited server([](Limits& limits) { limits.headers = {1000}; });

    RawClient fields = server.connect();
    fields.send("GET /test HTTP/1.1\r\nHost: h\r\nX: " + std::string(1000, 'x'));
    BOOST_TEST(fields.read().status == 431);
    BOOST_TEST(fields.ended());

    RawClient line = server.connect();
    line.send("GET /" + std::string(1000, 'x'));
    BOOST_TEST(line.read().status == 414);
    BOOST_TEST(line.ended());

    const std::string start = "GET /test HTTP/1.1\r\nHost: h\r\nX: ";
    BOOST_TEST(server.connect().call(start + std::string(1000 - start.size() - 4, 'x') + "\r\n\r\n").status == 200);
    BOOST_TEST(server.connect().call(start + std::string(1000 - start.size() - 3, 'x') + "\r\n\r\n").status == 431);
}

BOOST_AUTO_TEST_CASE(more_fields_than_allowed_get_431) {
    Limited server([](Limits& limits) { limits.headerCount = 3; });
    BOOST_TEST(server.connect().call("GET /test HTTP/1.1\r\nHost: h\r\nA: 1\r\nB: 2\r\n\r\n").status == 200);
    BOOST_TEST(server.connect().call("GET /test HTTP/1.1\r\nHost: h\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n").status == 431);
}

BOOST_AUTO_TEST_CASE(bodies_beyond_the_limit_get_413_and_the_answer_arrives) {
    Limited server([](Limits& limits) { limits.body = {1000}; });
    BOOST_TEST(server.connect().call(post(std::string(1000, 'x'))).status == 200);

    const Response length = server.connect().call(post(std::string(1001, 'x')));
    BOOST_TEST(length.status == 413);
    BOOST_TEST(length.body.find("fault: ") == 0u);
    BOOST_TEST(length.body.find("limits.body") != std::string::npos);

    const Response chunked =
        server.connect().call("POST /test HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3E9\r\n" +
                              std::string(1001, 'x') + "\r\n0\r\n\r\n");
    BOOST_TEST(chunked.status == 413);
    BOOST_TEST(chunked.body.find("limits.body") != std::string::npos);

    // Far more than the socket holds: without a lingering close the reset would overtake the answer.
    RawClient large = server.connect();
    large.send("POST /test HTTP/1.1\r\nHost: h\r\nContent-Length: 400000\r\n\r\n");
    large.send(std::string(400'000, 'x'));
    BOOST_TEST(large.read().status == 413);
    BOOST_TEST(large.ended());
}

BOOST_AUTO_TEST_CASE(the_body_limit_counts_unpacked_bytes) {
    Limited server([](Limits& limits) { limits.body = {1000}; });
    const auto packed = [](std::size_t size) {
        Buffer out;
        BOOST_REQUIRE(mime::deflate(std::string(size, 'x'), mime::Coding::Gzip, out));
        return std::string(out.view());
    };
    BOOST_TEST(server.connect().call(post(packed(1000), "Content-Encoding: gzip\r\n")).status == 200);
    const Response bomb = server.connect().call(post(packed(100'000), "Content-Encoding: gzip\r\n"));
    BOOST_TEST(bomb.status == 413);
    BOOST_TEST(bomb.body.find("fault: ") == 0u);
}

BOOST_AUTO_TEST_CASE(an_endpoint_may_have_a_body_limit_of_its_own) {
    Limited server([](Limits& limits) { limits.body = {1000}; });
    core::RouteLimits own;
    own.body = 2000;
    server.publish(own);
    BOOST_TEST(server.connect().call(post(std::string(2000, 'x'))).status == 200);
    BOOST_TEST(server.connect().call(post(std::string(2001, 'x'))).status == 413);
}

BOOST_AUTO_TEST_CASE(idle_connections_end) {
    Limited server([](Limits& limits) { limits.idle = milliseconds(150); });
    const TimePoint start = Clock::now();
    RawClient fresh = server.connect(), used = server.connect();
    BOOST_TEST(used.call(post("echo x")).status == 200);

    BOOST_TEST(fresh.ended());
    BOOST_TEST(used.ended());
    BOOST_TEST((since(start) >= milliseconds(145)));
    BOOST_TEST((since(start) < milliseconds(2000)));
}

BOOST_AUTO_TEST_CASE(a_head_has_its_time_and_bytes_do_not_extend_it) {
    Limited server([](Limits& limits) { limits.headerTime = milliseconds(200); });
    RawClient client = server.connect();
    const TimePoint start = Clock::now();
    client.send("GET /test HTTP/1.1\r\nHost: h\r\nX: ");
    while (client.silent(milliseconds(20)) && since(start) < milliseconds(3000)) client.trySend("x");

    BOOST_TEST(client.read().status == 408);
    BOOST_TEST(client.ended());
    BOOST_TEST((since(start) >= milliseconds(195)));
    BOOST_TEST((since(start) < milliseconds(2000)));
}

BOOST_AUTO_TEST_CASE(a_body_has_its_time_and_bytes_do_not_extend_it) {
    Limited server([](Limits& limits) { limits.bodyTime = milliseconds(200); });
    for (const char* fields : {"Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3E8\r\n"}) {
        RawClient client = server.connect();
        const TimePoint start = Clock::now();
        client.send("POST /test HTTP/1.1\r\nHost: h\r\n" + std::string(fields));
        while (client.silent(milliseconds(20)) && since(start) < milliseconds(3000)) client.trySend("x");

        const Response response = client.read();
        BOOST_TEST(response.status == 408);
        BOOST_TEST(response.body.find("fault: ") == 0u);
        BOOST_TEST(client.ended());
        BOOST_TEST((since(start) >= milliseconds(195)));
        BOOST_TEST((since(start) < milliseconds(2000)));
    }
}

BOOST_AUTO_TEST_CASE(an_exchange_has_its_time_and_the_late_answer_is_counted) {
    Limited server([](Limits& limits) { limits.exchangeTime = milliseconds(150); });
    RawClient client = server.connect();
    const TimePoint start = Clock::now();
    const Response response = client.call(post("slow"));
    BOOST_TEST(response.status == 504);
    BOOST_TEST(response.body.find("fault: ") == 0u);
    BOOST_TEST((since(start) >= milliseconds(145)));
    BOOST_TEST((since(start) < milliseconds(2000)));

    // The connection is good for more while the service is still at the old one.
    BOOST_TEST(client.call(post("echo x")).body == "echo x");
    server.endpoint->release();
    BOOST_TEST(test::eventually([&] { return server.bus.figures().late == 1; }));
    BOOST_TEST(server.bus.figures().open == 0);
    BOOST_TEST(client.call(post("echo y")).body == "echo y");
}

BOOST_AUTO_TEST_CASE(a_caller_that_does_not_read_is_cut_off) {
    Limited server([](Limits& limits) { limits.bodyTime = milliseconds(200); });
    RawClient client(server.address, 4096);
    const TimePoint start = Clock::now();
    client.send(post("big 9000000"));
    BOOST_TEST(test::eventually([&] { return server.transport->figures().requests == 1; }));
    BOOST_TEST(test::eventually([&] { return server.transport->figures().connections == 0; }));
    BOOST_TEST((since(start) >= milliseconds(195)));
    BOOST_TEST(server.bus.figures().open == 0);
}

BOOST_AUTO_TEST_CASE(a_caller_that_reads_slowly_but_steadily_gets_all) {
    Limited server([](Limits& limits) { limits.bodyTime = milliseconds(200); });
    RawClient client(server.address, 65536);
    client.send(post("big 9000000"));
    std::size_t size = 0;
    std::string bytes(300'000, ' ');
    while (size < 9'000'000) {
        std::this_thread::sleep_for(milliseconds(20));
        const ssize_t got = recv(client.descriptor(), bytes.data(), bytes.size(), 0);
        BOOST_REQUIRE(got > 0);
        size += static_cast<std::size_t>(got);
    }
}

BOOST_AUTO_TEST_CASE(each_listener_has_its_own) {
    Server server([](HttpConfig& config) {
        config.limits.body = {1000};
        config.listen.push_back(config.listen[0]);
        config.listen[1].limits = config.limits;
        config.listen[1].limits->body = {10};
    });
    const std::string second = server.transport->listeners().at(1).address;
    BOOST_TEST(server.connect().call(post("echo 1234567890")).status == 200);
    BOOST_TEST(RawClient(second).call(post("echo 1234567890")).status == 413);
}

BOOST_AUTO_TEST_CASE(zero_is_no_limit) {
    Limited server([](Limits& limits) {
        limits = {.connections = 0,
                  .headers = {0},
                  .headerCount = 0,
                  .body = {0},
                  .idle = milliseconds(0),
                  .headerTime = milliseconds(0),
                  .bodyTime = milliseconds(0),
                  .exchangeTime = milliseconds(0)};
    });
    RawClient client = server.connect();
    std::string fields;
    for (int i = 0; i < 200; ++i) fields += "X: " + std::string(1000, 'x') + "\r\n";
    client.send("POST /test HTTP/1.1\r\n");
    std::this_thread::sleep_for(milliseconds(50));
    client.send("Host: h\r\n" + fields + "Content-Length: 6\r\n\r\n");
    std::this_thread::sleep_for(milliseconds(50));
    BOOST_TEST(client.call("echo x").status == 200);
    BOOST_TEST(client.call(post("pool x")).status == 200);
}

BOOST_AUTO_TEST_CASE(only_those_allowed_may_connect) {
    const auto status = [](std::vector<std::string> allow, std::vector<std::string> deny) {
        Server server([&](HttpConfig& config) {
            config.listen[0].allow = std::move(allow);
            config.listen[0].deny = std::move(deny);
        });
        RawClient client = server.connect();
        client.trySend(post("echo x"));
        return client.read().status;
    };
    BOOST_TEST(status({}, {}) == 200);
    BOOST_TEST(status({"127.0.0.0/8"}, {}) == 200);
    BOOST_TEST(status({"10.0.0.0/8", "::1"}, {}) == 403);
    BOOST_TEST(status({}, {"127.0.0.1"}) == 403);
    BOOST_TEST(status({"127.0.0.0/8"}, {"127.0.0.1"}) == 403);
    BOOST_TEST(status({"::ffff:127.0.0.1"}, {}) == 200);
}

BOOST_AUTO_TEST_CASE(forwarded_fields_are_believed_of_trusted_proxies_only) {
    const std::string request =
        post("head", "X-Forwarded-Proto: https\r\nX-Forwarded-Host: shop.example\r\nX-Forwarded-For: 192.0.2.1\r\n");
    Server trusting([](HttpConfig& config) { config.listen[0].trustedProxies = {"127.0.0.0/8"}; });
    const std::string believed = trusting.connect().call(request).body;
    BOOST_TEST(believed.find("scheme=https\nhost=shop.example\npeer=192.0.2.1\n") != std::string::npos, believed);

    Server wary([](HttpConfig& config) { config.listen[0].trustedProxies = {"10.0.0.0/8"}; });
    const std::string own = wary.connect().call(request).body;
    BOOST_TEST(own.find("scheme=http\nhost=h\npeer=127.0.0.1\n") != std::string::npos, own);
}

BOOST_AUTO_TEST_SUITE_END()
