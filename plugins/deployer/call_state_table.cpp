#include "plugins/deployer/call_state_table.hpp"

#include <exception>

#include "core/exchange/exchange.hpp"

namespace postbus::deployer {
namespace {

using core::Exchange;

int cancelled(const postbus_call* call) { return Exchange::of(call).cancelled() ? 1 : 0; }

int watch(const postbus_call* call, postbus_watch* watch) {
    if (!watch || watch->size < sizeof(postbus_watch) || !watch->cancelled) return 0;
    return Exchange::of(call).watches().add(*watch) ? 1 : 0;
}

void unwatch(postbus_watch* watch) {
    if (watch && watch->size >= sizeof(postbus_watch)) core::WatchList::remove(*watch);
}

constexpr postbus_call_state table{sizeof(postbus_call_state), cancelled, watch, unwatch};

}  // namespace

const postbus_call_state& callStateTable() { return table; }

}  // namespace postbus::deployer
