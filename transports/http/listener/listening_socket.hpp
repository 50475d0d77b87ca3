#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::http {

/// A socket that is bound and listens; non-blocking. Closes with the object, and a Unix socket's file goes with it if
/// it is still this socket's.
class ListeningSocket {
public:
    /// Errors name the address and the reason. A Unix socket file that nobody listens on is replaced; its mode becomes
    /// 0660 before anyone can connect.
    static Result<ListeningSocket> open(std::string_view address);

    ListeningSocket(ListeningSocket&& other) noexcept;
    ListeningSocket& operator=(ListeningSocket&&) = delete;
    ~ListeningSocket();

    int descriptor() const { return descriptor_; }
    const std::string& address() const { return address_; }  ///< as bound: with the real port
    bool isUnix() const { return !path_.empty(); }

    /// No further connection gets into the backlog; those in it can still be accepted. Before the last accept, so that
    /// closing resets nobody.
    void seal();
    void close();

private:
    ListeningSocket(int descriptor, std::string address) : descriptor_(descriptor), address_(std::move(address)) {}
    void removeFile();

    int descriptor_;
    std::string address_;
    std::string path_;  // of a Unix socket
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace postbus::http
