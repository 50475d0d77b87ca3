#pragma once

#include <memory>
#include <string_view>

#include "core/message/wire.hpp"
#include "transports/http/connection/request_slot.hpp"
#include "transports/http/listener/acceptor.hpp"
#include "transports/http/loop/loop.hpp"

namespace postbus::http {

/// One caller's connection: reads requests, one at a time, has them answered, and reads on. Pipelined requests wait in
/// its buffer: answers come in order.
///
/// A state machine: each step() either gets on, or leaves something to wait for behind. It never calls itself: an
/// answer given inside of a step only changes the state. For its loop's thread.
class Connection final : public core::Replier,
                         public Timer,
                         public Pollable,
                         public core::BodyPipe::Producer,
                         public core::BodyPipe::Reader,
                         public std::enable_shared_from_this<Connection> {
public:
    Connection(Loop& loop, std::shared_ptr<Acceptor> acceptor, int descriptor, const SocketAddress& peer);
    ~Connection() override;

    void start();
    /// Answers `refusal` before anything is read, and ends.
    void turnAway(const Refusal& refusal);
    /// No further request after the one under way. An idle connection has a moment for one that is on the wire.
    void retire();
    /// The time to stop is over: an exchange gets a fault, an unfinished request 503. Returns whether there was an
    /// exchange.
    bool expire();
    /// Now, whatever is under way.
    void abort() {
        enter([this] { close(); });
    }

    Acceptor& acceptor() { return *acceptor_; }

    std::size_t place = 0;  ///< among the loop's connections; the loop's own

private:
    enum class State : std::uint8_t {
        Idle,  // between requests; no slot
        Head,
        Body,        // reading
        Exchanging,  // the bus has the request
        Sending,     // the answer is ready and leaves in its turn
        Writing,     // the socket is full
        Skipping,    // passing over a body that nobody wants
        Lingering,   // our side is closed; reading so that the last answer isn't lost to a reset
        Closed
    };

    // The machine (connection.cpp).
    template <class Function>
    void enter(Function&& function);
    bool step();
    void settle();
    void uncount();
    void close();
    void onReady(std::uint32_t events) override;
    void onTurn() override;
    void readAhead();
    void onTimer() override;
    void onDeadline();
    void setDeadline(milliseconds fromNow);
    bool linger();
    void startLinger();

    // Reading (connection_reading.cpp).
    enum class Received { Some, Nothing, End };
    Received receive(std::size_t wanted);
    void takeSlot();
    void prepareSlot();
    bool readHead();
    bool headFailed(const Refusal& refusal);
    bool gotHead();
    void describe(core::RequestHead& head);
    std::string_view ownHost();
    bool readCodings();
    Result<void> decodeBody();
    bool acceptBody();
    void sendContinue();
    bool readBody();
    bool readChunks();
    bool skipBody();
    bool endOfInput();
    void keepRest(const char* from, std::size_t size);
    bool exchange();
    core::Origin origin() const;

    // Bodies that pass through (connection_streaming.cpp).
    bool passesThrough() const;
    bool exchangeStream();
    void pump();
    void pumped(BodyReceiver::Progress progress);
    void uploadFailed(Error error);
    void leaveUpload();
    void onRoom() override;
    void onClosed() override;
    void startDownload(core::WireAnswer& answer, AnswerHead& head);
    void sendDownload();
    void onBody() override;
    bool delivered() const override;

    // Answering (connection_answering.cpp).
    void answer(core::WireAnswer&& answer) override;
    void refuse(Error error, int status);
    void refusePlainly(const Refusal& refusal);
    void passBody();
    void give(core::WireAnswer& answer);
    bool pack(core::WireAnswer& answer);
    void logAnswer(const core::WireAnswer& answer, std::size_t bytes);
    void send();
    void awaitRoom();
    void noRoom();
    std::size_t queued();
    void sent();
    void nextRequest();

    core::RequestHead& head() { return slot_->request.head; }
    const HttpLimits& limits() const { return slot_->settings->limits; }
    int handle() const { return descriptor_; }

    Loop& loop_;
    std::shared_ptr<Acceptor> acceptor_;
    int descriptor_;
    std::unique_ptr<RequestSlot> slot_;
    std::shared_ptr<Connection> self_;  // while open
    State state_ = State::Idle;
    bool running_ = false;
    bool pumping_ = false;  // what is read passes through: the slot must stay
    bool counted_ = true;   // among the listener's connections
    bool drained_ = true;   // the socket has nothing: there will be an event before it has something again
    bool halts_;            // a read may give less than there is
    bool ended_ = false;    // the caller sends no more; reading comes to the end of what there is
    bool lost_ = false;     // the caller is gone both ways
    bool served_ = false;   // has had a request
    const std::optional<net::IpBytes> ip_;
    std::uint8_t peerLength_ = 0;
    char peer_[46];
    std::uint32_t lingered_ = 0;
};

template <class Function>
void Connection::enter(Function&& function) {
    running_ = true;
    function();
    for (int steps = 0; step();) {
        // Others have their turn, however much one caller has sent ahead.
        if (++steps < 64) continue;
        // The last of them may have ended it: no turn comes to one that is gone.
        if (state_ != State::Closed) loop_.poller().yield(*this);
        break;
    }
    running_ = false;
    settle();
}

}  // namespace postbus::http
