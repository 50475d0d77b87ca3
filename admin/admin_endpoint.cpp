#include "admin/admin_endpoint.hpp"

#include <exception>

#include "admin/operations.hpp"

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
    core::AnswerDraft& draft = exchange->draft();
    json::Writer json(draft.bytes);
    try {
        auto status = operations()[exchange->operation()->id].run(management_, exchange->request(), json);
        if (!status) return core::Exchange::fail(std::move(exchange), std::move(status).error());
        draft.status = *status;
    } catch (const std::exception& error) {
        return core::Exchange::fail(std::move(exchange), Error::internal(error.what()));
    }
    draft.bytes.append('\n');
    core::Exchange::reply(std::move(exchange));
}

}  // namespace postbus::admin
