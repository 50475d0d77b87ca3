#include "admin/token.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "admin/admin_events.hpp"

namespace postbus::admin {
namespace {

constexpr std::size_t shortest = 32;

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int operator*() const { return number_; }

private:
    int number_;
};

Error failed(const std::string& file, const char* what) {
    return Error::internal(file + ": cannot " + what + ": " + std::strerror(errno));
}

Result<std::string> make(const std::string& file) {
    unsigned char random[32];
    if (getrandom(random, sizeof random, 0) != sizeof random) return failed(file, "get random bytes for it");
    std::string token;
    for (const unsigned char each : random) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", each);
        token += digits;
    }
    // Under another name first: a full disk leaves no half token behind.
    const std::string part = file + ".part";
    unlink(part.c_str());
    const Descriptor out(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    const std::string line = token + '\n';
    if (*out < 0 || write(*out, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(*out) != 0 ||
        rename(part.c_str(), file.c_str()) != 0)
        return failed(file, "write it");
    return token;
}

}  // namespace

Result<std::string> loadToken(const std::string& file) {
    const Descriptor in(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (*in < 0) return errno == ENOENT ? make(file) : failed(file, "open it");
    struct stat attributes {};
    char text[1024];
    const ssize_t length = read(*in, text, sizeof text);
    if (length < 0 || fstat(*in, &attributes) != 0) return failed(file, "read it");
    if (attributes.st_mode & 077) {
        fchmod(*in, 0600);
        log::emit(TokenExposed, {{"file", file}});
    }
    std::string_view token(text, static_cast<std::size_t>(length));
    while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
    if (token.size() < shortest)
        return Error::invalid(file + ": holds fewer than " + std::to_string(shortest) +
                              " characters; remove it, and a fresh one is made");
    return std::string(token);
}

bool sameSecret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    volatile unsigned char difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference = static_cast<unsigned char>(difference |
                                                (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
    return difference == 0;
}

}  // namespace postbus::admin
