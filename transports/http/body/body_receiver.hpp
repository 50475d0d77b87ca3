#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/buffer.hpp"
#include "core/message/body_pipe.hpp"
#include "transports/http/parser/chunked_decoder.hpp"

namespace postbus::http {

/// Reads a body from a socket into a pipe, as there is room in it, and takes off what frames it. For its loop's thread.
class BodyReceiver {
public:
    enum class Framing { Length, Chunked, UntilClose };
    enum class Progress {
        Done,     ///< the pipe has got its end
        Drained,  ///< the socket has no more now
        Full,     ///< the pipe: it will ask for more
        Cut,      ///< the other side has ended inside of it
        Bad,      ///< chunks that are none: refusal() says why
        Broken    ///< the socket; errno says why
    };

    /// `length` for Framing::Length, `chunks` for Framing::Chunked. The pipe is told of the end; of what goes wrong
    /// the owner tells it.
    void begin(std::shared_ptr<core::BodyPipe> pipe, Framing framing, std::uint64_t length,
               ChunkedDecoder::Limits chunks);
    bool active() const { return pipe_ != nullptr; }
    const std::shared_ptr<core::BodyPipe>& shared() const { return pipe_; }

    /// Bytes that came with the head. Drained: there is more to come.
    Progress feed(std::string_view bytes);
    /// For chunks of which the first have been decoded already, by `chunks`, to these bytes.
    void resume(const ChunkedDecoder& chunks, std::string_view decoded);
    /// Reads on. `drained`: the socket is known to have nothing; `readsShort`: a read may give less than there is.
    Progress go(int descriptor, bool& drained, bool readsShort);

    const Refusal& refusal() const { return chunks_.refusal(); }
    std::uint64_t received() const { return received_; }
    std::uint64_t missing() const { return left_; }  ///< of Framing::Length
    /// What came behind the body's end.
    std::string_view excess() const { return excess_.view(); }
    /// The pipe is left to its reader, as it is.
    void stop() { pipe_ = nullptr; }

private:
    Progress take(char* data, std::size_t size);
    Progress finish();

    std::shared_ptr<core::BodyPipe> pipe_;
    Framing framing_ = Framing::Length;
    std::uint64_t left_ = 0, received_ = 0;
    ChunkedDecoder chunks_;
    Buffer excess_;
};

}  // namespace postbus::http
