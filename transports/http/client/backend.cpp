#include "transports/http/client/backend.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/base64.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

constexpr milliseconds lookAgain{1'000};
constexpr std::size_t longestText = 64 * 1024;

std::int64_t stampOf(const struct stat& status) {
    return status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec + static_cast<std::int64_t>(status.st_ino);
}

}  // namespace

Result<std::string> FileText::read() const {
    const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return Error(Error::Kind::NotFound, path_ + ": " + std::strerror(errno));
    std::string text(longestText + 1, '\0');
    ssize_t size;
    do size = ::read(file, text.data(), text.size());
    while (size < 0 && errno == EINTR);
    const int reason = errno;
    ::close(file);
    if (size < 0) return Error(Error::Kind::NotFound, path_ + ": " + std::strerror(reason));
    text.resize(static_cast<std::size_t>(size));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (text.empty()) return Error(Error::Kind::NotFound, path_ + " is empty");
    if (text.size() >= longestText) return Error(Error::Kind::NotFound, path_ + " is longer than 64 KiB");
    if (!chars::all(text, chars::value)) return Error(Error::Kind::NotFound, path_ + " holds more than one line");
    return text;
}

Result<std::string> FileText::get() {
    const std::lock_guard lock(mutex_);
    const TimePoint now = Clock::now();
    if (!text_.empty() && now - looked_ < lookAgain) return text_;
    looked_ = now;
    struct stat status {};
    const bool there = stat(path_.c_str(), &status) == 0;
    if (there && !text_.empty() && stampOf(status) == changed_) return text_;
    auto text = read();
    if (!text) return text_.empty() ? std::move(text) : Result<std::string>(text_);
    changed_ = there ? stampOf(status) : -1;
    text_ = *text;
    return text_;
}

Backend::Backend(HttpUrl url, BackendConfig config) : url_(std::move(url)), config_(std::move(config)) {
    name_ = "backend " + url_.text();
}

Result<std::shared_ptr<Backend>> Backend::make(HttpUrl url, BackendConfig config) {
    const std::shared_ptr<Backend> made(new Backend(std::move(url), std::move(config)));
    if (!made->config_.proxy.empty()) {
        auto proxy = parseHttpUrl(made->config_.proxy);
        if (!proxy) return std::move(proxy).error().in("proxy");
        made->proxy_ = std::move(*proxy);
    }
    // What goes through a proxy shares connections to it.
    made->key_ = made->proxied() ? "proxy " + made->proxy_.origin() : made->url_.origin();
    const BackendCredentials& credentials = made->config_.credentials;
    if (!credentials.passwordFile.empty()) made->password_ = std::make_shared<FileText>(credentials.passwordFile);
    if (!credentials.bearerFile.empty()) made->bearer_ = std::make_shared<FileText>(credentials.bearerFile);
    return made;
}

Result<std::string> Backend::authorization() const {
    if (bearer_) {
        auto token = bearer_->get();
        if (!token) return Error::internal(name_ + ": its bearer token can't be read: " + token.error().message());
        return "Bearer " + *token;
    }
    const BackendCredentials& credentials = config_.credentials;
    if (credentials.user.empty()) return std::string();
    std::string password = credentials.password;
    if (password_) {
        auto text = password_->get();
        if (!text) return Error::internal(name_ + ": its password can't be read: " + text.error().message());
        password = std::move(*text);
    }
    return "Basic " + base64(credentials.user + ':' + password);
}

std::shared_ptr<const Backend> Backend::at(HttpUrl url) const {
    const std::shared_ptr<Backend> other(new Backend(*this));
    other->url_ = std::move(url);
    other->name_ = "backend " + other->url_.text();
    return other;
}

}  // namespace postbus::http
