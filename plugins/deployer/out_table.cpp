#include "plugins/deployer/out_table.hpp"

#include "plugins/deployer/held_request.hpp"
#include "plugins/tables/check.hpp"
#include "transports/inproc/out_exchange.hpp"

namespace postbus::deployer {
namespace {

struct Messages {
    using Exchange = inproc::OutExchange;
    static constexpr std::string_view outcome = "the outcome of a message",
                                      noMemory = "not enough memory for the message",
                                      mayNotWait =
                                          "a nonblocking operation can't wait for what comes back; send with a "
                                          "continuation";
    static std::string_view nameOf(const Exchange& exchange) { return exchange.name(); }
};
using Request = HeldRequest<Messages>;

postbus_call* begin(postbus_service_context* context, const postbus_call* cause, std::uint32_t mep,
                    postbus_str message) {
    if (mep < POSTBUS_MEP_OUT_ONLY || mep > POSTBUS_MEP_OUT_OPTIONAL_IN) return nullptr;
    try {
        Service& service = Service::of(context);
        return Request::lend(service, inproc::OutExchange::begin(
                                          *service.bus(), cause ? &core::Exchange::of(cause) : nullptr, service.name(),
                                          tables::view(message), static_cast<core::Pattern>(mep)));
    } catch (...) {
        return nullptr;
    }
}

int to(postbus_call* message, postbus_str address) {
    try {
        Request::of(message).exchange->to(tables::view(address));
        return 1;
    } catch (...) {
        return 0;
    }
}

/// Of the other table: what is begun here goes to no endpoint that the plugin could name.
postbus_call* beginNothing(postbus_service_context*, const postbus_call*, postbus_str) { return nullptr; }

constexpr postbus_invoke requests{
    sizeof(postbus_invoke), beginNothing, Request::limit, Request::send, Request::wait, Request::drop, to};
constexpr postbus_out_first table{sizeof(postbus_out_first), begin, &requests};

}  // namespace

const postbus_out_first& outTable() { return table; }

}  // namespace postbus::deployer
