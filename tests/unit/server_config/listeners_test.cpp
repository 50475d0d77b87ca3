#include "tests/unit/server_config/loading.hpp"

BOOST_AUTO_TEST_SUITE(listeners)

BOOST_AUTO_TEST_CASE(an_address_is_one) {
    checkDaemonProblems(
        "transports:\n"
        "  http:\n"
        "    listen:\n"
        "      - 8181\n"
        "      - {address: '127.0.0.1:99999'}\n"
        "      - {name: x}\n"
        "admin: {listen: nowhere}\n",
        {"p.yaml:4:9: transports.http.listen[0]: '8181' has no port; write HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH",
         "p.yaml:5:19: transports.http.listen[1].address: '127.0.0.1:99999' has no port from 0 to 65535 after the last "
         "':'",
         "p.yaml:6:9: transports.http.listen[2].address: is missing; write HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH",
         "p.yaml:7:17: admin.listen: 'nowhere' has no port; write HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH; or off "
         "for none"});
}

BOOST_AUTO_TEST_CASE(an_address_is_listened_on_once_and_a_name_given_once) {
    checkDaemonProblems(
        "transports:\n"
        "  http:\n"
        "    listen:\n"
        "      - '*:1'\n"
        "      - {address: '*:1', name: b}\n"
        "      - {address: '*:2', name: c}\n"
        "      - {address: '*:3', name: c}\n",
        {"p.yaml:5:19: transports.http.listen[1].address: '*:1' is listened on already by "
         "transports.http.listen[0] at line 4",
         "p.yaml:7:32: transports.http.listen[3].name: the name 'c' is taken by "
         "transports.http.listen[2].name at line 6"});
}

BOOST_AUTO_TEST_CASE(several_may_take_a_free_port) {
    BOOST_TEST(readDaemon("transports: {http: {listen: ['127.0.0.1:0', '127.0.0.1:0', {address: '127.0.0.1:0', name: "
                          "a}, {address: '127.0.0.1:0', name: b}]}}")
                   .transports.http.listen.size() == 4u);
    checkDaemonProblems(
        "transports: {http: {listen: [{address: '127.0.0.1:0', name: a}, {address: '127.0.0.1:0', "
        "name: a}]}}",
        {"p.yaml:1:96: transports.http.listen[1].name: the name 'a' is taken by "
         "transports.http.listen[0].name at line 1"});
}

BOOST_AUTO_TEST_CASE(networks_are_networks) {
    checkDaemonProblems(
        "transports:\n"
        "  http:\n"
        "    listen:\n"
        "      address: '*:1'\n"
        "      trusted-proxies: [10.0.0.0/8, 10.1.2.3/8]\n"
        "      allow: localhost\n"
        "      deny: [fe80::/129]\n",
        {"p.yaml:5:37: transports.http.listen.trusted-proxies[1]: '10.1.2.3/8' has bits set after its prefix of 8; "
         "write "
         "the network's first address",
         "p.yaml:6:14: transports.http.listen.allow: 'localhost' is no network; write ADDRESS/PREFIX, as in 10.0.0.0/8 "
         "or 2001:db8::/32",
         "p.yaml:7:14: transports.http.listen.deny[0]: 'fe80::/129' has no prefix length from 0 to 128 after the '/'"});
}

BOOST_AUTO_TEST_CASE(a_listener_has_the_limits_it_does_not_name_from_the_transport) {
    const auto config = readDaemon(
        "transports: {http: {limits: {idle: 5s, body: 2MiB}, listen: ['*:1', {address: '*:2', limits: {body: "
        "1MiB}}]}}");

    BOOST_TEST(!config.transports.http.listen[0].limits);
    BOOST_REQUIRE(config.transports.http.listen[1].limits);
    BOOST_TEST(config.transports.http.listen[1].limits->body.bytes == 1u << 20);
    BOOST_TEST(config.transports.http.listen[1].limits->idle.count() == 5'000);
    BOOST_TEST(config.transports.http.listen[1].limits->headers.bytes == 32u << 10);
}

BOOST_AUTO_TEST_CASE(limits_that_let_nobody_in_are_refused) {
    checkDaemonProblems(
        "transports: {http: {limits: {headers: 100, header-count: 0, connections: 0}, threads: 2000}}\n"
        "workers: {threads: 0, queue: 0}\n",
        {"p.yaml:1:39: transports.http.limits.headers: is out of the range from 1KiB to 1MiB",
         "p.yaml:1:58: transports.http.limits.header-count: is 0; a request has at least a Host",
         "p.yaml:1:74: transports.http.limits.connections: is 0; nobody could connect",
         "p.yaml:1:87: transports.http.threads: is more than 1024",
         "p.yaml:2:20: workers.threads: is 0; operations that block need at least one thread",
         "p.yaml:2:30: workers.queue: is 0; calls wait there for a thread, at least one must be able to"});
}

BOOST_AUTO_TEST_CASE(the_admin_interface_may_be_off_in_one_way_but_not_in_both) {
    BOOST_TEST(readDaemon("admin: {listen: off}").admin.listen == "off");
    BOOST_TEST(readDaemon("admin: {socket: off}").admin.socket == "off");
    checkDaemonProblems("admin: {listen: off, socket: off}",
                        {"p.yaml:1:30: admin.socket: is off, and so is admin.listen: nothing could reload or watch the "
                         "daemon"});
}

BOOST_AUTO_TEST_CASE(the_access_log_has_a_short_form) {
    BOOST_TEST(!readDaemon("logging: {access: off}").logging.access.enabled);
    BOOST_TEST(readDaemon("logging: {access: on}").logging.access.file == "stderr");
    BOOST_TEST(readDaemon("logging: {access: {file: access.log}}").logging.access.enabled);
    checkDaemonProblems("logging: {access: {file: ''}}",
                        {"p.yaml:1:26: logging.access.file: is empty; name a file, or stderr"});
}

BOOST_AUTO_TEST_SUITE_END()
