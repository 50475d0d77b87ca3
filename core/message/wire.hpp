#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "core/forward.hpp"
#include "core/message/body_pipe.hpp"
#include "core/message/headers.hpp"
#include "formats/xml/tape.hpp"

namespace postbus::core {

/// What a transport knows of a request before its body. All views point into the request's memory.
struct RequestHead {
    std::string_view method;       ///< for transports without methods: POST
    std::string_view path;         ///< percent-decoded, begins with '/'; never holds "." or ".." segments
    std::string_view query;        ///< as it was sent, without '?'
    std::string_view contentType;  ///< empty when there is none
    std::string_view scheme;       ///< http or https, as the caller used it (trusted proxies considered)
    std::string_view host;         ///< authority as the caller used it, e.g. localhost:8181 (likewise)
    std::string_view peer;         ///< address of the caller, for logs
    std::string_view listener;     ///< name of the listener that took it
    bool local = false;            ///< came over a Unix socket
    bool takesStreams = false;     ///< the answer's body may be a stream
    Headers headers;

    void clear();
};

/// A request, whole. A value that is passed on by swapping: who receives it keeps the memory and gives its own back, so
/// capacities circulate and nothing is allocated in the steady state.
struct WireRequest {
    RequestHead head;
    std::string_view body;  ///< decoded: no chunks, no content coding; into memory or decoded
    Buffer memory;          ///< holds what the views point to
    Buffer decoded;         ///< holds the body when it had to be unpacked
    /// Instead of `body`, for bindings that look at none of it: the body as it comes. Its loop is the exchange's home.
    std::shared_ptr<BodyPipe> stream;

    void clear();
    void swap(WireRequest& other) noexcept;
};

/// An answer on its way to the transport. Views are valid during ReplyTo's call only.
struct WireAnswer {
    WireAnswer() {}  // member by member: compilers set an aggregate of this size to zero by slower means

    int status = 200;
    std::string_view contentType;
    Buffer body;  ///< with headroom for the transport's head
    std::string_view requestId;
    std::chrono::seconds retryAfter{0};                        ///< for 503
    bool close = false;                                        ///< end the connection behind it
    std::vector<std::pair<std::string, std::string>> headers;  ///< further fields, seldom any
    const Headers* passed = nullptr;   ///< fields of another answer that go on as they are; may point before `body`
    std::shared_ptr<BodyPipe> stream;  ///< instead of `body`, where the caller takes streams
    std::optional<std::uint64_t> length{};  ///< of the body that HEAD is not given
    bool coded = false;                     ///< the body is to leave as it is: another has chosen its coding
    // For callers inside of the bus, who need no bytes; theirs to take from during ReplyTo's call.
    xml::Tape* tape = nullptr;
    const Fault* cause = nullptr;
    bool unheard = false;  ///< `cause` is not the caller's to hear: its pattern has no faults
    // For the access log.
    std::string_view endpoint, operation, fault;
};

/// Room that bindings leave in front of an answer's body for the transport's own head.
inline constexpr std::size_t transportHeadroom = 512;

/// The transport's side of one request.
class Replier {
public:
    virtual ~Replier() = default;
    /// On the loop that read the request.
    virtual void answer(WireAnswer&& answer) = 0;
};

/// The way to answer one request. Works once; must be used (a transport treats a lost one as a broken connection).
class ReplyTo {
public:
    ReplyTo() = default;
    explicit ReplyTo(std::shared_ptr<Replier> replier) : replier_(std::move(replier)) {}
    /// To one that lives until it has been answered; its exchange is never abandoned.
    explicit ReplyTo(Replier& replier) : replier_(std::shared_ptr<Replier>(), &replier) {}
    explicit operator bool() const { return replier_ != nullptr; }
    void operator()(WireAnswer&& answer) { std::exchange(replier_, nullptr)->answer(std::move(answer)); }

private:
    std::shared_ptr<Replier> replier_;
};

}  // namespace postbus::core
