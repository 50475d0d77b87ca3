#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace postbus::test {

/// One connection of a server that does what a script says, right or wrong.
class ScriptPeer {
public:
    explicit ScriptPeer(int descriptor) : descriptor_(descriptor) {}

    /// One request, head and body by Content-Length; empty when the caller has gone, or sends none for 10 s.
    std::string request() {
        while (true) {
            const std::size_t end = data_.find("\r\n\r\n");
            if (end != std::string::npos) {
                std::size_t length = 0;
                if (const auto at = data_.find("Content-Length: "); at < end)
                    length = std::stoul(data_.substr(at + 16));
                if (data_.size() >= end + 4 + length) {
                    std::string whole = data_.substr(0, end + 4 + length);
                    data_.erase(0, whole.size());
                    return whole;
                }
            }
            if (!more()) return {};
        }
    }
    /// Reads what comes, until the caller closes; all of it.
    std::string rest() {
        while (more()) {
        }
        return std::exchange(data_, {});
    }
    bool more() {
        pollfd wait{descriptor_, POLLIN, 0};
        if (poll(&wait, 1, 10'000) <= 0) return false;
        char piece[65536];
        const ssize_t size = recv(descriptor_, piece, sizeof piece, 0);
        if (size <= 0) return false;
        data_.append(piece, static_cast<std::size_t>(size));
        return true;
    }
    void send(std::string_view text) {
        while (!text.empty()) {
            const ssize_t size = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
            if (size <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(size));
        }
    }
    void answer(std::string_view body, std::string_view fields = {}) {
        send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(fields) +
             "\r\n" + std::string(body));
    }
    /// Closes with a reset instead of an end.
    void reset() {
        const linger now{1, 0};
        setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    int descriptor() const { return descriptor_; }

private:
    const int descriptor_;
    std::string data_;
};

/// A server on a free port of the loopback. Each connection has a thread, on which the script runs; when that returns,
/// the connection is closed.
class ScriptServer {
public:
    using Script = std::function<void(ScriptPeer&, int connection)>;

    explicit ScriptServer(Script script) : script_(std::move(script)) {
        descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in name{};
        name.sin_family = AF_INET;
        name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof name;
        if (bind(descriptor_, reinterpret_cast<sockaddr*>(&name), size) != 0 || listen(descriptor_, 100) != 0 ||
            getsockname(descriptor_, reinterpret_cast<sockaddr*>(&name), &size) != 0)
            throw std::runtime_error("no port for a test");
        port_ = ntohs(name.sin_port);
        acceptor_ = std::thread([this] { accept(); });
    }
    /// Scripts come to their end: their callers are gone by then, or will not wait for long.
    ~ScriptServer() {
        stopping_ = true;
        acceptor_.join();
        for (auto& each : peers_) each.join();
        close(descriptor_);
    }

    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
    std::string url(std::string_view path = "/it") const { return "http://" + address() + std::string(path); }
    int connections() const { return connections_; }
    /// Of these, those that have ended.
    int closed() const { return closed_; }

private:
    void accept() {
        while (!stopping_) {
            pollfd wait{descriptor_, POLLIN, 0};
            if (poll(&wait, 1, 20) <= 0) continue;
            const int connection = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
            if (connection < 0) continue;
            peers_.emplace_back([this, connection, number = ++connections_] {
                ScriptPeer peer(connection);
                script_(peer, number);
                close(connection);
                ++closed_;
            });
        }
    }

    Script script_;
    int descriptor_ = -1, port_ = 0;
    std::atomic<bool> stopping_{false};
    std::atomic<int> connections_{0}, closed_{0};
    std::vector<std::thread> peers_;
    std::thread acceptor_;
};

/// The address of a port that nobody listens on.
inline std::string closedAddress() {
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof name;
    const bool bound = bind(descriptor, reinterpret_cast<sockaddr*>(&name), size) == 0 &&
                       getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size) == 0;
    close(descriptor);
    if (!bound) throw std::runtime_error("no port for a test");
    return "127.0.0.1:" + std::to_string(ntohs(name.sin_port));
}

}  // namespace postbus::test
