#include "server/daemon/state_folder.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

using postbus::server::StateFolder;

namespace {

struct Folder {
    Folder() {
        char name[] = "/tmp/postbus-state-XXXXXX";
        path = mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path;
};

bool has(const std::exception& error, const std::string& text) {
    return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(state_folder, Folder)

BOOST_AUTO_TEST_CASE(is_made_with_all_on_the_way) {
    const StateFolder state(path + "/a/b");

    BOOST_TEST(std::filesystem::is_directory(path + "/a/b"));
    BOOST_TEST(state.makeFolder("deploy") == path + "/a/b/deploy");
    BOOST_TEST(std::filesystem::is_directory(path + "/a/b/deploy"));
}

BOOST_AUTO_TEST_CASE(of_a_running_daemon_is_refused_by_its_pid) {
    const StateFolder first(path);

    BOOST_CHECK_EXCEPTION(StateFolder second(path), std::runtime_error, [&](const auto& error) {
        return has(error, "(pid " + std::to_string(getpid()) + ")") && has(error, path);
    });
}

BOOST_AUTO_TEST_CASE(is_free_again_when_its_daemon_has_ended_in_whatever_way) {
    const pid_t child = fork();
    if (child == 0) {
        new StateFolder(path);
        _exit(0);  // no destructor
    }
    int status = 0;
    waitpid(child, &status, 0);

    BOOST_CHECK_NO_THROW(StateFolder second(path));
}

BOOST_AUTO_TEST_CASE(that_can_not_be_one_says_why) {
    std::ofstream(path + "/file") << "x";

    BOOST_CHECK_EXCEPTION(StateFolder state(path + "/file"), std::runtime_error,
                          [&](const auto& error) { return has(error, path + "/file is not a folder"); });
    BOOST_CHECK_EXCEPTION(StateFolder state(path + "/file/below"), std::runtime_error,
                          [&](const auto& error) { return has(error, path + "/file"); });
}

BOOST_AUTO_TEST_CASE(is_the_first_that_the_service_manager_names) {
    setenv("STATE_DIRECTORY", "/var/lib/postbus:/var/lib/other", 1);
    BOOST_TEST(StateFolder::defaultPath() == "/var/lib/postbus");

    unsetenv("STATE_DIRECTORY");
    BOOST_TEST(StateFolder::defaultPath() == std::filesystem::current_path().string() + "/postbus-state");
}

BOOST_AUTO_TEST_CASE(leaves_absolute_paths_alone) {
    const StateFolder state(path);

    BOOST_TEST(state.inside("/srv/plugins") == "/srv/plugins");
    BOOST_TEST(state.inside("deploy") == path + "/deploy");
}

BOOST_AUTO_TEST_SUITE_END()
