#include "plugins/deployer/queues_table.hpp"

#include <exception>
#include <string>

#include "base/log/event.hpp"
#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/service.hpp"
#include "plugins/messaging/messaging_events.hpp"
#include "plugins/messaging/owed.hpp"
#include "plugins/tables/check.hpp"

// No exception may pass from here into a plugin; what it is owed is told by those below, whatever is thrown there.
namespace postbus::deployer {
namespace {

using messaging::Subscription;
using tables::view;

void send(postbus_service_context* context, const postbus_destination* to, const postbus_message* message, int wait,
          postbus_queue_then then, void* thenContext) {
    Service::of(context).queues()->send(to, message, wait != 0, then, thenContext);
}

void receive(postbus_service_context* context, const postbus_call* caller, const postbus_destination* from,
             const postbus_consumer* how, std::int64_t time, int wait, postbus_queue_then then, void* thenContext) {
    Service::of(context).queues()->receive(caller, from, how, time, wait != 0, then, thenContext);
}

void settle(postbus_delivery* delivery, std::uint32_t how, postbus_str reason, int wait, postbus_queue_then then,
            void* thenContext) {
    messaging::settle(delivery, how, view(reason), wait != 0, then, thenContext);
}

postbus_subscription* subscribe(postbus_service_context* context, const postbus_destination* from,
                                const postbus_consumer* how, void (*take)(void*, postbus_delivery*),
                                void (*closed)(void*), void* takeContext) {
    Service& service = Service::of(context);
    try {
        auto made = service.queues()->subscribe(from, how, {take, closed, takeContext});
        if (made) return *made;
        const std::string name = from ? std::string(view(from->name)) : std::string();
        log::emit(messaging::SubscriptionRefused,
                  {{"service", service.name()}, {"from", name}, {"reason", made.error().message()}});
    } catch (...) {
    }
    return nullptr;
}

void unsubscribe(postbus_subscription* subscription) {
    try {
        static_cast<Subscription*>(subscription)->close();
    } catch (...) {
    }
}

constexpr postbus_queues table{sizeof(postbus_queues), send, receive, settle, subscribe, unsubscribe};

}  // namespace

const postbus_queues& queuesTable() { return table; }

}  // namespace postbus::deployer
