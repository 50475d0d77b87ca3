#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace postbus::test {

/// An answer as it came over the wire. Field names in lower case.
struct Response {
    int status = 0;
    std::string head, body;
    std::multimap<std::string, std::string> fields;

    std::string field(const std::string& name) const {
        const auto found = fields.find(name);
        return found == fields.end() ? std::string() : found->second;
    }
    bool has(const std::string& name) const { return fields.count(name) > 0; }
};

/// A client that sends what it is told, byte for byte, and believes nothing. Throws when an answer doesn't come.
class RawClient {
public:
    static constexpr std::chrono::milliseconds patience{10'000};

    /// "127.0.0.1:8181", "[::1]:8181" or "unix:PATH", as listeners give their addresses.
    /// `descriptor`: a socket made before, to be connected now.
    explicit RawClient(const std::string& address, int receiveBuffer = 0, int descriptor = -1) {
        sockaddr_storage to{};
        socklen_t length = 0;
        parse(address, to, length);
        descriptor_ = descriptor >= 0 ? descriptor : socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (receiveBuffer) setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, sizeof receiveBuffer);
        if (connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), length) != 0) {
            const int reason = errno;
            ::close(descriptor_);
            throw std::runtime_error(std::string("connect: ") + std::strerror(reason));
        }
    }
    RawClient(RawClient&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), data_(std::move(other.data_)) {}
    ~RawClient() { close(); }

    void send(std::string_view text) {
        while (!text.empty()) {
            const ssize_t size = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
            if (size < 0) throw std::runtime_error(std::string("send: ") + std::strerror(errno));
            text.remove_prefix(static_cast<std::size_t>(size));
        }
    }
    /// As send(), but for servers that may have closed.
    bool trySend(std::string_view text) {
        return ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
    }
    void finishSending() { shutdown(descriptor_, SHUT_WR); }
    /// Goes away with a reset.
    void reset() {
        const linger hard{1, 0};
        setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close();
    }
    void close() {
        if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    }

    /// The next answer. `toHead`: it has no body, whatever its length says.
    Response read(bool toHead = false) {
        std::size_t end;
        while ((end = data_.find("\r\n\r\n")) == std::string::npos) more("a head");
        Response response;
        response.head = data_.substr(0, end + 4);
        data_.erase(0, end + 4);
        parseHead(response);
        const std::string length = response.field("content-length");
        if (toHead || length.empty()) return response;
        while (data_.size() < std::stoul(length)) more("a body");
        response.body = data_.substr(0, std::stoul(length));
        data_.erase(0, response.body.size());
        return response;
    }
    Response call(std::string_view request) {
        send(request);
        return read();
    }
    /// Whether the server ends the connection, having sent nothing more.
    bool ended(std::chrono::milliseconds within = patience) {
        if (!data_.empty() || !readable(within)) return false;
        char byte;
        return ::recv(descriptor_, &byte, 1, MSG_DONTWAIT) <= 0;
    }
    /// Whether nothing comes for so long.
    bool silent(std::chrono::milliseconds time) { return data_.empty() && !readable(time); }

    int descriptor() const { return descriptor_; }

private:
    static void parse(const std::string& address, sockaddr_storage& to, socklen_t& length) {
        if (address.substr(0, 5) == "unix:") {
            auto& name = reinterpret_cast<sockaddr_un&>(to);
            name.sun_family = AF_UNIX;
            std::strncpy(name.sun_path, address.c_str() + 5, sizeof name.sun_path - 1);
            length = sizeof name;
            return;
        }
        const std::size_t colon = address.rfind(':');
        const auto port = htons(static_cast<std::uint16_t>(std::stoul(address.substr(colon + 1))));
        if (address.front() == '[') {
            auto& name = reinterpret_cast<sockaddr_in6&>(to);
            name.sin6_family = AF_INET6;
            name.sin6_port = port;
            inet_pton(AF_INET6, address.substr(1, colon - 2).c_str(), &name.sin6_addr);
            length = sizeof name;
            return;
        }
        auto& name = reinterpret_cast<sockaddr_in&>(to);
        name.sin_family = AF_INET;
        name.sin_port = port;
        inet_pton(AF_INET, address.substr(0, colon).c_str(), &name.sin_addr);
        length = sizeof name;
    }

    bool readable(std::chrono::milliseconds within) const {
        pollfd look{descriptor_, POLLIN, 0};
        return poll(&look, 1, static_cast<int>(within.count())) > 0;
    }

    void more(const char* what) {
        char bytes[65536];
        if (!readable(patience)) throw std::runtime_error(std::string("no answer in time: no ") + what);
        const ssize_t size = ::recv(descriptor_, bytes, sizeof bytes, 0);
        if (size <= 0)
            throw std::runtime_error(std::string("the connection ended before ") + what + " after '" + data_ + "'");
        data_.append(bytes, static_cast<std::size_t>(size));
    }

    static void parseHead(Response& response) {
        if (response.head.compare(0, 9, "HTTP/1.1 ") != 0) throw std::runtime_error("no HTTP: " + response.head);
        response.status = std::stoi(response.head.substr(9, 3));
        std::size_t at = response.head.find("\r\n") + 2;
        while (at + 2 < response.head.size()) {
            const std::size_t end = response.head.find("\r\n", at), colon = response.head.find(": ", at);
            if (colon == std::string::npos || colon > end) throw std::runtime_error("bad field in " + response.head);
            std::string name = response.head.substr(at, colon - at);
            for (char& c : name) c = static_cast<char>(std::tolower(c));
            response.fields.emplace(name, response.head.substr(colon + 2, end - colon - 2));
            at = end + 2;
        }
    }

    int descriptor_;
    std::string data_;
};

}  // namespace postbus::test
