#include "plugins/deployer/invoke_table.hpp"

#include "plugins/deployer/held_request.hpp"
#include "plugins/tables/check.hpp"

namespace postbus::deployer {
namespace {

struct Calls {
    using Exchange = inproc::Invocation;
    static constexpr std::string_view outcome = "the outcome of a call", noMemory = "not enough memory for the call",
                                      mayNotWait =
                                          "a nonblocking operation can't wait for another; send the request with a "
                                          "continuation";
    static std::string_view nameOf(const Exchange& exchange) { return exchange.endpoint(); }
};
using Request = HeldRequest<Calls>;

postbus_call* begin(postbus_service_context* context, const postbus_call* caller, postbus_str endpoint) {
    try {
        Service& service = Service::of(context);
        return Request::lend(service,
                             inproc::Invocation::begin(*service.bus(), caller ? &core::Exchange::of(caller) : nullptr,
                                                       tables::view(endpoint)));
    } catch (...) {
        return nullptr;
    }
}

int toElsewhere(postbus_call*, postbus_str) { return 0; }

constexpr postbus_invoke table{sizeof(postbus_invoke), begin,         Request::limit, Request::send,
                               Request::wait,          Request::drop, toElsewhere};

}  // namespace

const postbus_invoke& invokeTable() { return table; }

}  // namespace postbus::deployer
