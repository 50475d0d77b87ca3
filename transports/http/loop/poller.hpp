#pragma once

#include <sys/epoll.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstdint>

#include "transports/http/loop/handler_memory.hpp"

namespace postbus::http {

/// One that waits for a socket.
class Pollable {
public:
    /// EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLHUP, EPOLLERR: what has changed, and all else that holds now. May end the
    /// object.
    virtual void onReady(std::uint32_t events) = 0;

protected:
    ~Pollable() = default;
};

/// Tells those on one loop what their sockets are ready for: an epoll of its own inside of Asio's.
///
/// A socket is entered once, edge-triggered, for all that may happen to it; there is no call to the kernel to wait
/// again. (Asio arms a wait for readiness anew each time: a system call for each request.) For the loop's thread.
class Poller {
public:
    using Context = boost::asio::io_context;
    explicit Poller(Context& context);
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;

    /// False: the kernel refuses, for want of memory.
    bool add(int descriptor, Pollable& who);
    /// Before the descriptor is closed. No event reaches `who` any more, not even one that has been fetched.
    void remove(int descriptor, Pollable& who);

private:
    void wait();
    void dispatch();

    static constexpr int batch = 128;  // then others of the loop have their turn
    boost::asio::posix::basic_stream_descriptor<Context::executor_type> epoll_;
    HandlerMemory memory_;
    epoll_event events_[batch];
    int next_ = 0, fetched_ = 0;
};

}  // namespace postbus::http
