#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/unit/transports/http/server_fixture.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

struct Folder {
    char path[32] = "/tmp/postbus-http-XXXXXX";
    Folder() { BOOST_REQUIRE(mkdtemp(path)); }
    ~Folder() {
        unlink(socket().substr(5).c_str());
        rmdir(path);
    }
    std::string socket() const { return std::string("unix:") + path + "/s"; }
};

std::string reasonOf(HttpTransport& transport, std::vector<std::string> addresses) {
    HttpConfig config;
    config.listen.clear();
    for (auto& each : addresses)
        config.listen.push_back(
            {.address = std::move(each), .name = {}, .limits = {}, .trustedProxies = {}, .allow = {}, .deny = {}});
    const auto preparation = transport.prepare(config);
    return preparation ? std::string() : preparation.error().message();
}

bool refused(const std::string& address) {
    try {
        RawClient client(address);
        return false;
    } catch (const std::runtime_error&) {
        return true;
    }
}

HttpListenerConfig at(std::string address) {
    return {.address = std::move(address), .name = {}, .limits = {}, .trustedProxies = {}, .allow = {}, .deny = {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_life)

BOOST_AUTO_TEST_CASE(a_caller_that_is_gone_is_noticed_while_its_answer_waits_for_more) {
    Server server({}, 1);
    RawClient client = server.connect();
    client.send(post("open"));
    BOOST_TEST(client.read(true).field("transfer-encoding") == "chunked");

    client.reset();

    BOOST_TEST(test::eventually([&] { return server.transport->listeners()[0].connections == 0; }));
    BOOST_TEST(server.endpoint->closedStreams() == 1);
}

BOOST_AUTO_TEST_CASE(listens_on_unix_sockets) {
    const Folder folder;
    {
        Server server([&](HttpConfig& config) { config.listen[0].address = folder.socket(); }, 1);
        BOOST_TEST(server.address == folder.socket());
        struct stat file {};
        BOOST_REQUIRE(stat(folder.socket().c_str() + 5, &file) == 0);
        BOOST_TEST((file.st_mode & 0777) == 0660u);

        RawClient client = server.connect();
        const std::string told = client.call(post("head")).body;
        BOOST_TEST(told.find("peer=unix\n") != std::string::npos);
        BOOST_TEST(told.find("local=yes\n") != std::string::npos);
        BOOST_TEST(client.call(post("pool x")).body == "pool x");

        // A second one is told that this one lives.
        HttpTransport other(server.bus, "other", 1);
        BOOST_TEST(reasonOf(other, {folder.socket()}).find(folder.socket()) != std::string::npos);
        BOOST_TEST(client.call(post("echo x")).body == "echo x");
    }
    BOOST_TEST(access(folder.socket().c_str() + 5, F_OK) != 0);
}

BOOST_AUTO_TEST_CASE(replaces_a_stale_unix_socket_and_nothing_else) {
    const Folder folder;
    const std::string path = folder.socket().substr(5);
    const int stale = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
    BOOST_REQUIRE(bind(stale, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    close(stale);
    {
        Server server([&](HttpConfig& config) { config.listen[0].address = folder.socket(); }, 1);
        BOOST_TEST(server.connect().call(post("echo x")).status == 200);
    }
    std::ofstream(path) << "precious";
    core::Bus bus(1, 1);
    HttpTransport transport(bus, "http", 1);
    BOOST_TEST(reasonOf(transport, {folder.socket()}).find("no socket") != std::string::npos);
    BOOST_TEST(access(path.c_str(), F_OK) == 0);
}

BOOST_AUTO_TEST_CASE(a_bad_address_is_named_and_changes_nothing) {
    Server server;
    BOOST_TEST(reasonOf(*server.transport, {server.address}).find("cannot listen on " + server.address + ": ") == 0u);
    BOOST_TEST(reasonOf(*server.transport, {"nonsense"}).find("'nonsense'") != std::string::npos);
    BOOST_TEST(reasonOf(*server.transport, {"127.0.0.1:99999"}).find("127.0.0.1:99999") != std::string::npos);
    BOOST_TEST(reasonOf(*server.transport, {"192.0.2.1:0"}).find("192.0.2.1:0") != std::string::npos);
    BOOST_TEST(reasonOf(*server.transport, {"no.such.host.invalid:80"}).find("no.such.host.invalid") !=
               std::string::npos);

    BOOST_TEST(server.transport->listeners().size() == 1u);
    BOOST_TEST(server.connect().call(post("echo x")).status == 200);
}

BOOST_AUTO_TEST_CASE(a_bad_network_is_named) {
    Server server;
    server.config.listen[0].allow = {"10.0.0.0/33"};
    const auto preparation = server.transport->prepare(server.config);
    BOOST_REQUIRE(!preparation);
    BOOST_TEST(preparation.error().message().find("10.0.0.0/33") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_prepared_is_open_before_it_is_applied) {
    Server server;
    server.config.listen.push_back(at("127.0.0.1:0"));
    auto preparation = server.transport->prepare(server.config);
    BOOST_REQUIRE(preparation);
    BOOST_TEST(server.transport->listeners().size() == 1u);
    server.transport->apply(std::move(*preparation));
    BOOST_TEST(server.transport->listeners().size() == 2u);
    BOOST_TEST(RawClient(server.transport->listeners()[1].address).call(post("echo x")).status == 200);
}

BOOST_AUTO_TEST_CASE(a_reload_keeps_sockets_connections_and_the_port_that_was_free) {
    Server server;
    RawClient client = server.connect();
    BOOST_TEST(client.call(post("echo x")).status == 200);

    server.config.limits.body = {10};
    server.config.listen[0].name = "front";
    server.load();

    BOOST_TEST(server.transport->listeners().at(0).address == server.address);
    BOOST_TEST(server.transport->listeners().at(0).name == "front");
    // The same connection, under the new limit and name.
    BOOST_TEST(client.call(post("head")).body.find("listener=front\n") != std::string::npos);
    BOOST_TEST(client.call(post("echo 1234567890")).status == 413);
    BOOST_TEST(server.transport->figures().accepted == 1u);
}

BOOST_AUTO_TEST_CASE(a_listener_that_goes_answers_what_it_has_and_no_more) {
    Server server;
    const std::string old = server.address;
    RawClient idle(old), busy(old), waiting(old);
    BOOST_TEST(idle.call(post("echo x")).status == 200);
    busy.send(post("slow") + post("echo behind"));
    server.endpoint->waitUntilHeld();
    waiting.send(post("echo accepted"));

    server.config.listen[0] = at("localhost:0");
    server.load();

    BOOST_TEST(refused(old));
    const Response last = waiting.read();
    BOOST_TEST(last.body == "echo accepted");
    BOOST_TEST(idle.ended());
    server.endpoint->release();
    BOOST_TEST(busy.read().status == 200);
    const Response behind = busy.read();
    BOOST_TEST(behind.body == "echo behind");
    BOOST_TEST(behind.field("connection") == "close");
    BOOST_TEST(busy.ended());
    const std::string fresh = server.transport->listeners().at(0).address;
    BOOST_TEST(fresh != old);
    BOOST_TEST(RawClient(fresh).call(post("echo x")).status == 200);
}

BOOST_AUTO_TEST_CASE(closing_a_listener_resets_nobody) {
    // Callers that connect without a pause, while the listener they call comes and goes.
    for (int round = 0; round < 2; ++round) {
        Server server({}, 2);
        std::atomic<bool> stop{false};
        std::atomic<int> connected{0}, answered{0}, wrong{0};
        std::vector<std::thread> callers;
        for (int i = 0; i < 4; ++i)
            callers.emplace_back([&, address = server.address] {
                while (!stop) {
                    std::optional<RawClient> client;
                    try {
                        client.emplace(address);
                    } catch (const std::runtime_error&) {
                        return;  // refused: it has closed
                    }
                    ++connected;
                    try {
                        client->send(post("echo x"));
                        (client->read().status == 200 ? answered : wrong)++;
                    } catch (const std::runtime_error& lost) {
                        ++wrong;
                    }
                }
            });
        std::this_thread::sleep_for(milliseconds(50));
        server.config.listen[0] = at("localhost:0");
        server.load();
        std::this_thread::sleep_for(milliseconds(50));
        stop = true;
        for (auto& each : callers) each.join();

        BOOST_TEST(connected > 0);
        BOOST_TEST(answered == connected);
        BOOST_TEST(wrong == 0);
    }
}

BOOST_AUTO_TEST_CASE(stopping_answers_all_that_was_accepted) {
    auto server = std::make_unique<Server>();
    std::vector<RawClient> busy, idle;
    for (int i = 0; i < 3; ++i) {
        busy.push_back(server->connect());
        busy.back().send(post("slow"));
        idle.push_back(server->connect());
        BOOST_TEST(idle.back().call(post("echo x")).status == 200);
    }
    server->endpoint->waitUntilHeld(3);
    std::size_t expired = 99;
    std::thread stopper([&] { expired = server->transport->stop(Clock::now() + std::chrono::seconds(10)); });

    for (RawClient& each : idle) BOOST_TEST(each.ended());
    BOOST_TEST(refused(server->address));
    server->endpoint->release();
    for (RawClient& each : busy) {
        const Response response = each.read();
        BOOST_TEST(response.status == 200);
        BOOST_TEST(response.field("connection") == "close");
        BOOST_TEST(each.ended());
    }
    busy.clear();
    stopper.join();
    BOOST_TEST(expired == 0u);
    BOOST_TEST(server->transport->figures().connections == 0);
}

BOOST_AUTO_TEST_CASE(at_the_deadline_open_exchanges_get_503) {
    Server server;
    RawClient exchanging = server.connect(), halfway = server.connect();
    exchanging.send(post("slow"));
    halfway.send("POST /test HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    server.endpoint->waitUntilHeld();

    std::size_t expired = 0;
    std::thread stopper([&] { expired = server.transport->stop(Clock::now() + milliseconds(100)); });
    const Response fault = exchanging.read();
    BOOST_TEST(fault.status == 503);
    BOOST_TEST(fault.body.find("fault: ") == 0u);
    BOOST_TEST(fault.field("connection") == "close");
    BOOST_TEST(halfway.read().status == 503);
    server.endpoint->release();
    stopper.join();
    BOOST_TEST(expired == 1u);
}

BOOST_AUTO_TEST_CASE(what_comes_behind_urgent_data_is_read) {
    Server server;
    const std::string request = post("echo x");
    for (std::size_t at = 1; at < request.size(); at += 7) {
        const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        RawClient client(server.address, 0, descriptor);
        client.send(request.substr(0, at));
        BOOST_REQUIRE(::send(descriptor, "!", 1, MSG_OOB) == 1);
        client.send(request.substr(at));
        BOOST_REQUIRE(client.read().body == "echo x");
    }
}

BOOST_AUTO_TEST_CASE(what_comes_behind_a_descriptor_is_read) {
    const Folder folder;
    Server server([&](HttpConfig& config) { config.listen[0].address = folder.socket(); });
    const std::string request = post("echo x");
    for (std::size_t at = 1; at < request.size(); at += 7) {
        const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        RawClient client(server.address, 0, descriptor);
        iovec bytes{const_cast<char*>(request.data()), at};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
        msghdr message{};
        message.msg_iov = &bytes;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr* const part = CMSG_FIRSTHDR(&message);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
        BOOST_REQUIRE(sendmsg(descriptor, &message, 0) == static_cast<ssize_t>(at));
        client.send(request.substr(at));
        BOOST_REQUIRE(client.read().body == "echo x");
    }
}

/// A connection lets others go first after so many steps; here its end is the last of them.
BOOST_AUTO_TEST_CASE(an_end_behind_any_number_of_pipelined_requests_is_the_end) {
    Server server({}, 1);
    for (int round = 0; round < 40; ++round) {
        for (int requests = 62; requests <= 65; ++requests) {
            // Held back until the end goes with them, in the same packet.
            const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            const int held = 1;
            setsockopt(descriptor, IPPROTO_TCP, TCP_CORK, &held, sizeof held);
            RawClient client(server.address, 0, descriptor);
            std::string all;
            for (int i = 0; i < requests; ++i) all += "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n";
            client.send(all);
            client.finishSending();
            for (int i = 0; i < requests; ++i) BOOST_REQUIRE(client.read().status == 404);
            BOOST_REQUIRE(client.ended());
        }
    }
    BOOST_TEST(server.connect().call(post("echo x")).body == "echo x");
}

BOOST_AUTO_TEST_CASE(callers_that_go_away_leave_nothing_behind) {
    Server server;
    for (int i = 0; i < 50; ++i) {
        RawClient head = server.connect(), body = server.connect(), answer = server.connect(), idle = server.connect();
        head.send("POST /te");
        body.send("POST /test HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc");
        answer.send(post("big 9000000"));
        idle.call(post("echo x"));
        if (i % 2)
            for (RawClient* each : {&head, &body, &answer, &idle}) each->reset();
    }
    RawClient waiting = server.connect();
    waiting.send(post("slow"));
    server.endpoint->waitUntilHeld();
    waiting.reset();
    BOOST_TEST(test::eventually([&] { return server.bus.figures().abandoned == 1; }));
    server.endpoint->release();

    BOOST_TEST(test::eventually([&] { return server.transport->figures().connections == 0; }));
    BOOST_TEST(server.transport->listeners().at(0).connections == 0u);
    BOOST_TEST(test::eventually([&] { return server.bus.figures().open == 0; }));
    BOOST_TEST(server.connect().call(post("echo x")).status == 200);
}

BOOST_AUTO_TEST_CASE(writes_the_access_log_a_line_per_answer) {
    int ends[2];
    BOOST_REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
    {
        Server server({}, 1);
        configureAccessLog({.enabled = true, .json = false, .descriptor = ends[1]});
        RawClient client = server.connect();
        client.call(post("echo x"));
        client.call("GET /a%20b%0A?secret=1 HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    configureAccessLog({.enabled = false, .json = false, .descriptor = 2});
    char bytes[4096];
    const ssize_t size = read(ends[0], bytes, sizeof bytes);
    BOOST_REQUIRE(size > 0);
    const std::string lines(bytes, static_cast<std::size_t>(size));
    BOOST_TEST(std::count(lines.begin(), lines.end(), '\n') == 2);
    BOOST_TEST(lines.find(" 127.0.0.1 POST /test 200 6 ") != std::string::npos, lines);
    BOOST_TEST(lines.find(" Test now\n") != std::string::npos, lines);
    BOOST_TEST(lines.find("secret") == std::string::npos);
    close(ends[0]);
    close(ends[1]);
}

BOOST_AUTO_TEST_SUITE_END()
