#include "admin/admin_binding.hpp"

#include "admin/admin_events.hpp"
#include "admin/operations.hpp"
#include "core/port/inbound_port.hpp"
#include "formats/json/writer.hpp"

namespace postbus::admin {
namespace {

constexpr std::string_view mediaType = "application/json";

bool takes(const Operation& operation, std::string_view method) {
    return method == operation.method || (operation.method == "GET" && method == "HEAD");
}

/// The methods of a path, for Allow.
std::string allowed(std::string_view path) {
    std::string all;
    for (const Operation& each : operations()) {
        if (each.path != path) continue;
        if (!all.empty()) all += ", ";
        all += each.method == "GET" ? std::string_view("GET, HEAD") : each.method;
    }
    return all;
}

}  // namespace

Result<const wsdl::Operation*> AdminBinding::find(const core::RequestHead& head) const {
    bool there = false, open = false;
    const wsdl::Operation* asked = nullptr;
    for (std::size_t i = 0; i < operations().size(); ++i) {
        const Operation& each = operations()[i];
        if (each.path != head.path) continue;
        there = true;
        open = each.open;
        if (takes(each, head.method)) asked = &contract_.operations[i];
    }
    // A stranger does not even learn what is there.
    if (!open) {
        if (auto known = guard_.check(head); !known) return std::move(known).error();
    }
    if (asked) return asked;
    if (!there) return Error(Error::Kind::NotFound, "the admin interface has nothing at this path");
    return Error(Error::Kind::WrongMethod, "this path takes " + allowed(head.path));
}

Result<void> AdminBinding::inspect(const core::RequestHead& head) const {
    auto found = find(head);
    if (found && !operations()[(*found)->id].open) return ok();
    if (found) {
        // Whoever may ask without a token may not fill the memory.
        const std::string_view length = head.headers.find("Content-Length").value_or("0");
        if (length == "0" && !head.headers.find("Transfer-Encoding")) return ok();
        return Error(Error::Kind::TooLarge, "this path takes no body");
    }
    const Error& error = found.error();
    if (error.kind() == Error::Kind::Unauthorized || error.kind() == Error::Kind::Forbidden)
        log::emit(AdminRefused, {{"peer", head.peer}, {"path", head.path}, {"reason", error.message()}});
    return std::move(found).error();
}

Result<void> AdminBinding::unwrap(core::Exchange& exchange) const {
    auto found = find(exchange.request().head);
    if (!found) return std::move(found).error();
    exchange.identify(**found, POSTBUS_NO_NODE, POSTBUS_NO_NODE);
    return ok();
}

void AdminBinding::prepare(core::Exchange& exchange) const { exchange.draft().bytes.clear(core::transportHeadroom); }

Result<void> AdminBinding::write(core::Exchange& exchange, core::WireAnswer& answer) const {
    core::AnswerDraft& draft = exchange.draft();
    answer.status = draft.status;
    answer.contentType = draft.raw ? std::string_view(draft.contentType) : mediaType;
    answer.body = std::move(draft.bytes);
    answer.stream = std::move(draft.stream);
    answer.length = draft.length;
    answer.headers = std::move(draft.headers);
    answer.headers.emplace_back("Cache-Control", "no-store");
    // A message may say that it is a page.
    if (draft.raw) answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
    return ok();
}

core::WireAnswer AdminBinding::writeFault(const core::RequestHead& head, const core::Exchange*,
                                          const core::Fault& fault, std::string_view requestId, Buffer memory) const {
    core::WireAnswer answer;
    answer.status = core::httpStatus(fault.kind);
    answer.contentType = mediaType;
    if (answer.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (answer.status == 405) answer.headers.emplace_back("Allow", allowed(head.path));
    memory.clear(core::transportHeadroom);
    json::Writer json(memory);
    json.object([&] {
        json.member("error", fault.reason);
        json.member("request", requestId);
    });
    memory.append('\n');
    answer.body = std::move(memory);
    return answer;
}

}  // namespace postbus::admin
