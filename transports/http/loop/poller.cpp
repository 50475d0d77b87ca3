#include "transports/http/loop/poller.hpp"

#include <cerrno>
#include <system_error>

namespace postbus::http {

Poller::Poller(Context& context) : epoll_(context.get_executor()) {
    const int made = epoll_create1(EPOLL_CLOEXEC);
    if (made < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    epoll_.assign(made);
    wait();
}

bool Poller::add(int descriptor, Pollable& who) {
    epoll_event interest{};
    interest.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    interest.data.ptr = &who;
    return epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, descriptor, &interest) == 0;
}

void Poller::remove(int descriptor, Pollable& who) {
    // A close alone would not do: a child between fork and exec may still hold the socket.
    epoll_event none{};
    epoll_ctl(epoll_.native_handle(), EPOLL_CTL_DEL, descriptor, &none);
    for (int i = next_; i < fetched_; ++i)
        if (events_[i].data.ptr == &who) events_[i].data.ptr = nullptr;
}

void Poller::wait() {
    epoll_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                      WithMemory{&memory_, [this](const boost::system::error_code& failed) {
                                     if (failed) return;
                                     dispatch();
                                     wait();
                                 }});
}

void Poller::dispatch() {
    fetched_ = epoll_wait(epoll_.native_handle(), events_, batch, 0);
    for (next_ = 0; next_ < fetched_;) {
        const epoll_event& each = events_[next_++];
        if (each.data.ptr) static_cast<Pollable*>(each.data.ptr)->onReady(each.events);
    }
    next_ = fetched_ = 0;
}

}  // namespace postbus::http
