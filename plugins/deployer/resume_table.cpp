#include "plugins/deployer/resume_table.hpp"

#include <algorithm>
#include <exception>
#include <memory>

#include "base/timer_wheel.hpp"
#include "core/exchange/exchange.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/service.hpp"

// No exception may pass from here into a plugin.
namespace postbus::deployer {
namespace {

constexpr std::chrono::hours longestPause{24 * 365};

void misbehaved(const Service& service, const char* where) {
    log::emit(PluginMisbehaved, {{"service", service.name()}, {"in", where}, {"threw", "something"}});
}

/// A plugin's wait on behalf of a call, which stays open for it: so the loop is there until the end. Lives on the
/// call's loop; deletes itself when it is over.
class Pause final : public Timer, public core::Dependent {
public:
    Pause(Service& service, core::Exchange& call, TimePoint until, void (*then)(void*, int), void* context)
        : service_(service), home_(call.home()), call_(call), until_(until), then_(then), context_(context) {
        service_.enter();
    }
    ~Pause() override { service_.leave(); }  // with it the deployer may unload the code

    void begin() {
        home_.loop().post([this] { arm(); });
    }

private:
    void arm() {
        if (call_.cancelled()) return end(true);
        (void)call_.join(*this);
        home_.loop().setTimer(*this, until_);
    }
    void onTimer() override { end(false); }
    void onCancel() override { end(true); }
    void end(bool cancelled) {
        const std::unique_ptr<Pause> self(this);
        home_.loop().cancelTimer(*this);
        leave();
        call_.release();
        const core::LoopSight::Call inside(home_.sight(), service_.name(), "the end of a pause", {}, TimePoint{});
        try {
            then_(context_, cancelled ? 1 : 0);
        } catch (...) {
            misbehaved(service_, "the end of a pause");
        }
    }

    Service& service_;
    core::ExchangePool& home_;
    core::ExchangeTie call_;
    const TimePoint until_;
    void (*const then_)(void*, int);
    void* const context_;
};

int after(postbus_service_context* context, const postbus_call* call, std::int64_t nanoseconds,
          void (*then)(void*, int), void* thenContext) {
    try {
        const auto time = std::clamp(std::chrono::nanoseconds(nanoseconds), std::chrono::nanoseconds(0),
                                     std::chrono::nanoseconds(longestPause));
        auto pause = std::make_unique<Pause>(Service::of(context), core::Exchange::of(call), Clock::now() + time, then,
                                             thenContext);
        pause->begin();
        (void)pause.release();
        return 0;
    } catch (...) {
        return -1;
    }
}

int onWorker(postbus_service_context* context, void (*then)(void*), void* thenContext) {
    Service& service = Service::of(context);
    service.enter();
    try {
        const bool taken = service.bus()->workers().submit([&service, then, thenContext] {
            try {
                then(thenContext);
            } catch (...) {
                misbehaved(service, "a worker");
            }
            service.leave();
        });
        if (taken) return 0;
    } catch (...) {
    }
    service.leave();
    return -1;
}

constexpr postbus_resume table{sizeof(postbus_resume), after, onWorker};

}  // namespace

const postbus_resume& resumeTable() { return table; }

}  // namespace postbus::deployer
