#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "base/clock.hpp"
#include "base/executor.hpp"
#include "base/result.hpp"
#include "base/timer_wheel.hpp"
#include "core/message/body_pipe.hpp"

namespace postbus::admin {

/// Sends bytes to a caller piece by piece, and confirms once its connection has taken them.
///
/// With a Confirm all but the last byte is sent; when the caller has read that (over TCP: its system has it) and is
/// still there, it is called, and the last byte, or the end where there are none, follows its success. So a caller that
/// has the whole answer knows that it was confirmed, and one that goes before, takes longer than half a minute to read,
/// or whose confirmation fails, gets an answer that is cut. The
/// Confirm, with all that it holds, is destroyed as soon as it is called and done, or never will be.
///
/// Lives as long as the stream, or what it waits for. Made on any thread; everything else happens on `loop`.
class Handover final : public core::BodyPipe::Producer, private Timer, public std::enable_shared_from_this<Handover> {
public:
    /// Calls back once, on any thread, perhaps within the call.
    using Confirm = std::function<void(std::function<void(Result<void>)>)>;
    struct Content {
        std::shared_ptr<const void> owner;  ///< of the bytes
        std::string_view bytes;
    };
    struct Made {
        std::shared_ptr<Handover> handover;
        std::shared_ptr<core::BodyPipe> stream;  ///< the answer's
    };
    static Made make(Executor& loop, Content content, Confirm confirm = {});

    /// To be posted to the loop behind the answer: its stream has somebody who takes from it by then, or never will.
    void begin();

private:
    Handover(Executor& loop, Content content, Confirm confirm)
        : loop_(loop), content_(std::move(content)), confirm_(std::move(confirm)) {}

    void onRoom() override;
    void onClosed() override;
    void proceed(core::BodyPipe& stream);
    void put(core::BodyPipe& stream, std::size_t end);
    void look();
    void lookAgain();
    void onTimer() override;
    void confirmed(const Result<void>& done);

    Executor& loop_;
    Content content_;
    Confirm confirm_;
    std::weak_ptr<core::BodyPipe> stream_;  // which owns us
    std::size_t at_ = 0;
    bool looking_ = false, confirming_ = false;
    int looks_ = 0;
    TimePoint patience_;
    std::shared_ptr<Handover> timed_;  // this, while its timer is set
};

}  // namespace postbus::admin
