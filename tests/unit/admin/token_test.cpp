#include "admin/token.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace postbus;

namespace {

struct Folder {
    Folder() {
        char name[] = "/tmp/postbus-token-XXXXXX";
        path = mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string file() const { return path + "/admin.token"; }
    mode_t mode() const {
        struct stat attributes {};
        stat(file().c_str(), &attributes);
        return attributes.st_mode & 0777;
    }
    void write(const std::string& text) const { std::ofstream(file()) << text; }

    std::string path;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(admin_token, Folder)

BOOST_AUTO_TEST_CASE(is_made_at_first_for_its_owner_alone_and_kept) {
    const auto first = admin::loadToken(file());
    const auto second = admin::loadToken(file());

    BOOST_REQUIRE(first);
    BOOST_REQUIRE(second);
    BOOST_TEST(first->size() == 64u);
    BOOST_TEST(*first == *second);
    BOOST_TEST(mode() == 0600u);
}

BOOST_AUTO_TEST_CASE(differs_from_folder_to_folder) {
    const Folder other;

    BOOST_TEST(*admin::loadToken(file()) != *admin::loadToken(other.file()));
}

BOOST_AUTO_TEST_CASE(of_ones_own_is_taken_without_the_line_end) {
    write("0123456789abcdef0123456789abcdef\r\n");

    BOOST_TEST(*admin::loadToken(file()) == "0123456789abcdef0123456789abcdef");
}

BOOST_AUTO_TEST_CASE(that_others_could_read_is_closed_to_them) {
    write("0123456789abcdef0123456789abcdef\n");
    chmod(file().c_str(), 0644);

    BOOST_TEST(static_cast<bool>(admin::loadToken(file())));
    BOOST_TEST(mode() == 0600u);
}

BOOST_AUTO_TEST_CASE(that_is_easy_to_guess_is_refused) {
    write("secret\n");

    const auto token = admin::loadToken(file());

    BOOST_REQUIRE(!token);
    BOOST_TEST(token.error().message().find("fewer than 32 characters") != std::string::npos);
    BOOST_TEST(token.error().message().find(file()) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(is_not_read_through_a_link) {
    std::ofstream(path + "/elsewhere") << "0123456789abcdef0123456789abcdef\n";
    std::filesystem::create_symlink(path + "/elsewhere", file());

    BOOST_TEST(!admin::loadToken(file()));
}

BOOST_AUTO_TEST_CASE(secrets_are_compared_whole) {
    BOOST_TEST(admin::sameSecret("abc", "abc"));
    BOOST_TEST(!admin::sameSecret("abc", "abd"));
    BOOST_TEST(!admin::sameSecret("abc", "ab"));
    BOOST_TEST(!admin::sameSecret("abc", ""));
}

BOOST_AUTO_TEST_SUITE_END()
