#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/exchange/exchange.hpp"
#include "formats/mime/content_coding.hpp"
#include "transports/http/body/body_receiver.hpp"
#include "transports/http/body/body_sender.hpp"
#include "transports/http/listener/listener.hpp"
#include "transports/http/parser/chunked_decoder.hpp"
#include "transports/http/parser/head_parser.hpp"

namespace postbus::http {

/// All that one request needs while it is read and answered. A connection borrows one from its loop at the first byte
/// and gives it back behind the answer: an idle connection holds none.
///
/// The request's memory holds, from its front: room for a host put together from forwarded fields, the caller's
/// address, the listener's name, then the head and the body.
struct RequestSlot {
    core::WireRequest request;
    HeadParser parser;
    ChunkedDecoder chunks;
    core::Admission admission;
    core::ExchangeRef exchange;
    std::shared_ptr<const ListenerSettings> settings;
    std::vector<mime::Coding> codings;  ///< of the body, in the order they were applied
    Buffer rest;                        ///< bytes behind this request: the next one's
    Buffer out;                         ///< the answer, as far as it has not been sent
    BodyReceiver upload;                ///< of a body that is passed on as it comes
    BodySender download;                ///< of an answer that comes as a stream
    milliseconds patience{0};           ///< for the answer, once such a body is whole

    const char* describedAt = nullptr;    ///< where the memory was when the views of the head were made
    std::size_t headAt = 0;               ///< where the head begins in the memory
    std::size_t bodyAt = 0;               ///< where the body begins
    std::size_t bodySize = 0;             ///< decoded so far, of a chunked one
    std::uint64_t bodyLimit = 0;          ///< 0: none
    std::uint64_t skip = 0;               ///< of a body that nobody wants: bytes to pass over before the next request
    TimePoint begun;                      ///< when the head's first byte was seen
    std::size_t queued = 0;               ///< of an answer in the kernel, when last looked at
    TimePoint writeBy;                    ///< when an answer that waits for its caller has to be gone
    std::string_view method, path, peer;  ///< for the access log; of a request that is an exchange they are its own
    bool fresh = false;                   ///< there are bytes that no parser has seen
    bool whole = false;                   ///< the body has been read to its end
    bool close = false;                   ///< the connection ends behind the answer
    bool gzip = false;                    ///< the caller takes it
    bool refusedCoding = false;           ///< the answer names the codings that are taken

    void clear() {
        constexpr std::size_t keep = 64 * 1024;
        request.clear();
        if (request.memory.capacity() > keep) request.memory = Buffer();
        if (request.decoded.capacity() > keep) request.decoded = Buffer();
        admission = {};
        exchange = {};
        settings.reset();
        upload.stop();
        if (download.active()) download.stop();
        if (rest.capacity() > keep) rest = Buffer();
        rest.clear();
        out = Buffer();
        describedAt = nullptr;
        headAt = bodyAt = bodySize = 0;
        bodyLimit = skip = 0;
        method = path = peer = {};
        begun = {};
        codings.clear();
        fresh = whole = close = gzip = refusedCoding = false;
    }
};

}  // namespace postbus::http
