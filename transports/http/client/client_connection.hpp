#pragma once

#include <memory>
#include <string>

#include "base/timer_wheel.hpp"
#include "transports/http/body/body_receiver.hpp"
#include "transports/http/body/body_sender.hpp"
#include "transports/http/client/client_call.hpp"
#include "transports/http/client/resolver.hpp"
#include "transports/http/loop/poller.hpp"

namespace postbus::http {

class ClientPool;

/// One connection to a backend: carries one call at a time, and rests in its pool in between.
///
/// A call whose connection is lost is sent once more, on a fresh connection, only where no backend can have done twice
/// what it asks for: the connection had been kept and was lost before any byte of an answer, and the request is
/// idempotent or nothing of it had been sent. A lost POST of which a byte has left is never repeated: the backend may
/// have done it before it closed. To make that rare, a connection that the backend has closed is dropped as soon as its
/// end is seen, and one that has rested for a while is looked at again before it is used.
///
/// For its loop's thread.
class ClientConnection final : public Pollable,
                               public Timer,
                               public core::BodyPipe::Reader,
                               public core::BodyPipe::Producer,
                               public std::enable_shared_from_this<ClientConnection> {
public:
    ClientConnection(ClientPool& pool, std::string key);
    ~ClientConnection() override;

    /// Looks its address up, connects, and carries `call`.
    void connect(std::shared_ptr<ClientCall> call);
    /// For one at rest. False: its backend has closed it, it can't be used.
    bool usableFor(const ClientCall& call);
    void carry(std::shared_ptr<ClientCall> call);
    /// The call wants nothing any more.
    void cancel();
    /// The call, if there is one, fails with this.
    void abort(Error error);
    /// One at rest ends.
    void close();

    const std::string& key() const { return key_; }
    std::size_t place = 0;  ///< among the pool's; the pool's own

private:
    enum class State : std::uint8_t { Connecting, Resting, Carrying, Closed };
    enum class Phase : std::uint8_t { Head, Gathering, Streaming, Done };
    /// What the timer is set for, beside the deadline.
    enum class Wait : std::uint8_t { Connect, Send, FirstByte, More, Rest };

    // client_connection.cpp
    void resolved(const Result<Resolver::Addresses>& found);
    void connectNext();
    void connected();
    void onReady(std::uint32_t events) override;
    void onTimer() override;
    void wait(Wait what, milliseconds limit);
    void fail(Error error);
    void lost(std::string what);
    void streamFailed(Error error);
    std::string ended(int reason) const;
    void finish();
    milliseconds offeredTime() const;
    TimePoint now() const;
    const BackendConfig& config() const { return backend_->config(); }

    // client_connection_sending.cpp
    void send();
    void sendUpload();
    void onBody() override;
    bool requestSent() const { return sent_ == total_ && !upload_.active(); }

    // client_connection_receiving.cpp
    void receive();
    void receiveHead();
    bool interim();
    void choose();
    void gather();
    void gatherChunks();
    bool read(std::size_t wanted);
    void stream();
    void streamed(BodyReceiver::Progress progress);
    void answer(const std::shared_ptr<core::BodyPipe>& stream);
    void onRoom() override;
    void onClosed() override;

    ClientPool& pool_;
    const std::string key_;
    int descriptor_ = -1;
    State state_ = State::Connecting;
    Phase phase_ = Phase::Head;
    Wait wait_ = Wait::Connect;
    bool drained_ = true;               // the socket has nothing to read
    bool ended_ = false;                // the backend sends no more
    bool kept_ = false;                 // it has carried a call before
    bool answered_ = false;             // the call has its answer; a body may still stream
    std::shared_ptr<ClientCall> call_;  // none any more once a part of its answer has gone on
    std::shared_ptr<const Backend> backend_;
    Resolver::Addresses addresses_;
    std::size_t nextAddress_ = 0;
    TimePoint deadline_ = TimePoint::max(), restedSince_;
    milliseconds restTime_{0};

    std::size_t sent_ = 0, total_ = 0;  // of head and body
    BodySender upload_;

    HeadParser parser_;
    Buffer memory_;
    const char* headAt_ = nullptr;  // where the head lay when it was whole
    ChunkedDecoder chunks_;
    std::size_t bodySize_ = 0;  // gathered
    std::uint64_t length_ = 0;  // of the body that is gathered
    int interims_ = 0;
    bool fresh_ = false;  // there are bytes that no decoder has seen
    bool reusable_ = false;
    BodyReceiver body_;
    std::shared_ptr<core::BodyPipe> download_;
};

}  // namespace postbus::http
