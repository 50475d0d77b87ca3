#include "admin/admin_endpoint.hpp"

#include <exception>

#include "admin/operations.hpp"
#include "core/exchange/exchange_pool.hpp"

namespace postbus::admin {

AdminEndpoint::AdminEndpoint(Management& management) : management_(management) {
    contract_.name = "admin";
    std::uint32_t id = 0;
    for (const Operation& each : operations()) {
        wsdl::Operation operation;
        operation.name = each.name;
        operation.id = id++;
        operation.nonblocking = !each.waits;
        contract_.operations.push_back(std::move(operation));
    }
}

void AdminEndpoint::process(core::ExchangePtr exchange) {
    const Operation& operation = operations()[exchange->operation()->id];
    std::shared_ptr<Handover> handover;
    try {
        auto done = operation.hand ? operation.hand(management_, *exchange) : run(operation, *exchange);
        if (!done) return core::Exchange::fail(std::move(exchange), std::move(done).error());
        handover = std::move(*done);
    } catch (const std::exception& error) {
        return core::Exchange::fail(std::move(exchange), Error::internal(error.what()));
    }
    if (!handover) return core::Exchange::reply(std::move(exchange));
    Executor& loop = exchange->home().loop();
    // The loop does not end before it has come there.
    auto tie = std::make_shared<core::ExchangeTie>(*exchange);
    core::Exchange::reply(std::move(exchange));
    loop.post([handover = std::move(handover), tie = std::move(tie)] { handover->begin(); });
}

Result<std::shared_ptr<Handover>> AdminEndpoint::run(const Operation& operation, core::Exchange& exchange) {
    core::AnswerDraft& draft = exchange.draft();
    json::Writer json(draft.bytes);
    auto status = operation.run(management_, exchange.request(), json);
    if (!status) return std::move(status).error();
    draft.status = *status;
    draft.bytes.append('\n');
    return std::shared_ptr<Handover>();
}

}  // namespace postbus::admin
