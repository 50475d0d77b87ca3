#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/buffer.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "core/message/body_pipe.hpp"
#include "transports/http/client/backend.hpp"
#include "transports/http/parser/head_parser.hpp"

namespace postbus::http {

class ClientConnection;

/// A backend's final answer. Lent during ClientCall::onAnswer(); memory and stream are the receiver's to take.
struct ClientAnswer {
    int status;
    const HeadParser& head;
    const char* base;  ///< where the bytes of `head` lie: in front of the content of `body`
    Buffer body;       ///< the whole body, codings and all
    /// Instead, for one that is large or whose length is not known: as it comes. Its loop is the call's.
    std::shared_ptr<core::BodyPipe> stream;
    std::optional<std::uint64_t>
        length;  ///< what the head says of a body, also where none comes since only it was asked for
};

/// A request to a backend, from its start to its answer. What asks derives from it and fills in what is to be sent; it
/// is told exactly once what came of it, unless it has cancelled. All on one loop's thread.
class ClientCall : public std::enable_shared_from_this<ClientCall> {
public:
    virtual ~ClientCall() = default;

    std::shared_ptr<const Backend> backend;
    Buffer head;            ///< of the request, with its last empty line; must be right
    std::string_view body;  ///< valid until the call is over
    /// Instead: a body that is still coming, in chunks unless its length is known.
    std::shared_ptr<core::BodyPipe> upload;
    bool idempotent = false;   ///< may be sent again when the connection is lost (RFC 9110 section 9.2.2)
    bool headOnly = false;     ///< the method is HEAD
    bool takesStream = false;  ///< what is large may come as a stream; else it is gathered, up to the backend's limit
    TimePoint deadline = TimePoint::max();  ///< for the answer to begin, or to be there as a whole

    virtual void onAnswer(ClientAnswer& answer) = 0;
    /// The error names the backend.
    virtual void onFailure(Error error) = 0;

    /// Nobody wants the answer any more: its connection is closed, and none of the two above is called. Harmless when
    /// it is over.
    void cancel();

protected:
    /// Ready for another request.
    void reset();

private:
    friend class ClientConnection;
    friend class ClientPool;
    ClientConnection* carrier_ = nullptr;
    TimePoint begun_;
    bool again_ = false;  // it has been sent twice
};

}  // namespace postbus::http
