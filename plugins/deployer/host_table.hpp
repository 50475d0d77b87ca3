#pragma once

#include <postbus/abi.h>

#include <cstdint>

namespace postbus::deployer {

/// The functions that plugins call.
const postbus_host& hostTable();

/// How often plugins did with a call what may not be done: completed it a second time, set a header that is none.
std::uint64_t misuses();

/// A call that the current thread is just handing to a plugin; remembers whether it was answered before the plugin
/// returned. They nest: a plugin may call another in-process.
class CallInHand {
public:
    explicit CallInHand(postbus_call* call);
    ~CallInHand();
    CallInHand(const CallInHand&) = delete;
    CallInHand& operator=(const CallInHand&) = delete;

    postbus_call* get() const { return call_; }
    /// Whether nobody on this thread has answered it.
    bool unanswered() const { return !answered_; }
    /// Notes that this thread answers `call`.
    static void answered(const postbus_call* call);

private:
    postbus_call* call_;
    bool answered_ = false;
    CallInHand* outer_;
};

}  // namespace postbus::deployer
