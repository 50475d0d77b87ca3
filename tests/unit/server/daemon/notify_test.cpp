#include "server/daemon/notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

using postbus::server::Notify;

namespace {

/// Stands in for the service manager's end, on an abstract socket.
struct Manager {
    Manager() {
        name = "@postbus-notify-test-" + std::to_string(getpid());
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, name.data(), name.size());
        address.sun_path[0] = '\0';
        receiver = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        BOOST_REQUIRE(bind(receiver, reinterpret_cast<sockaddr*>(&address),
                           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size())) == 0);
        setenv("NOTIFY_SOCKET", name.c_str(), 1);
    }
    ~Manager() {
        close(receiver);
        unsetenv("NOTIFY_SOCKET");
    }
    std::string heard() const {
        char text[512];
        const ssize_t length = read(receiver, text, sizeof text);
        return length < 0 ? "nothing" : std::string(text, static_cast<std::size_t>(length));
    }

    std::string name;
    int receiver;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(notify)

BOOST_FIXTURE_TEST_CASE(tells_the_service_manager_where_it_is, Manager) {
    const Notify notify;

    notify.ready("serving");
    BOOST_TEST(heard() == "READY=1\nMAINPID=" + std::to_string(getpid()) + "\nSTATUS=serving");
    notify.stopping();
    BOOST_TEST(heard() == "STOPPING=1");
}

BOOST_FIXTURE_TEST_CASE(dates_a_reload_by_the_monotonic_clock, Manager) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long before = now.tv_sec * 1'000'000LL + now.tv_nsec / 1000;

    Notify().reloading();

    const std::string told = heard();
    const std::string start = "RELOADING=1\nMONOTONIC_USEC=";
    BOOST_REQUIRE(told.rfind(start, 0) == 0);
    const long long usec = std::stoll(told.substr(start.size()));
    BOOST_TEST(usec >= before);
    BOOST_TEST(usec < before + 10'000'000);
}

BOOST_AUTO_TEST_CASE(does_nothing_without_a_service_manager) {
    unsetenv("NOTIFY_SOCKET");

    BOOST_CHECK_NO_THROW(Notify().ready("serving"));
}

BOOST_AUTO_TEST_SUITE_END()
