#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace postbus::cli {

/// The daemon could not be reached: exit status 3.
class Unreachable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Speaks to the admin interface of one daemon.
class AdminClient {
public:
    struct Answer {
        int status = 0;
        std::string body;
    };

    /// `where` as --admin has it; empty: looks in all the places that the usage names. Throws Unreachable.
    static AdminClient connect(const std::string& where);
    AdminClient(AdminClient&&) noexcept;
    ~AdminClient();

    struct Body {
        std::string bytes, contentType;
    };
    /// Throws Unreachable when the connection breaks. A body goes with POST alone.
    Answer ask(const std::string& method, const std::string& path, const Body& body = {"", ""});

private:
    struct Connection;
    explicit AdminClient(std::unique_ptr<Connection> connection);

    std::unique_ptr<Connection> connection_;
};

}  // namespace postbus::cli
