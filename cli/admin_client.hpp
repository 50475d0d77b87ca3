#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

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

    /// Takes a piece of a body; false: it can't, and no more is wanted.
    using Sink = std::function<bool(std::string_view)>;
    /// The same without a body, but that of an answer with status 200 goes to `sink` as it comes. Throws Unreachable
    /// when it is cut before its end, also by the sink.
    Answer fetch(const std::string& method, const std::string& path, const Sink& sink);

private:
    struct Connection;
    template <class Take>
    Answer exchange(const std::string& method, const std::string& path, const Body& body, Take&& take);
    explicit AdminClient(std::unique_ptr<Connection> connection);

    std::unique_ptr<Connection> connection_;
};

}  // namespace postbus::cli
