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

}  // namespace

AdminBinding::Finding AdminBinding::find(const core::RequestHead& head) const {
    Finding finding;
    const Operation* there = nullptr;  // at this path, whatever its method
    for (std::size_t i = 0; i < operations().size(); ++i) {
        const Operation& each = operations()[i];
        if (each.path != head.path) continue;
        there = &each;
        if (!finding.allow.empty()) finding.allow += ", ";
        finding.allow += each.method == "GET" ? std::string_view("GET, HEAD") : each.method;
        if (takes(each, head.method)) finding.operation = &contract_.operations[i];
    }
    // A stranger does not even learn what is there.
    if (!there || !there->open) {
        if (auto allowed = guard_.check(head); !allowed) {
            const Error& error = allowed.error();
            return {core::httpStatus(error.kind()), nullptr, {}, error.message()};
        }
    }
    if (!there) return {404, nullptr, {}, "the admin interface has nothing at this path"};
    if (!finding.operation) {
        finding.status = 405;
        finding.reason = "this path takes " + finding.allow;
    }
    return finding;
}

Result<void> AdminBinding::inspect(const core::RequestHead& head) const {
    const Finding finding = find(head);
    if (finding.status == 401 || finding.status == 403)
        log::emit(AdminRefused, {{"peer", head.peer}, {"path", head.path}, {"reason", finding.reason}});
    if (finding.status == 200) return ok();
    // The kind is of no interest: writeFault() asks the head again.
    return Error::invalid(finding.reason);
}

Result<void> AdminBinding::unwrap(core::Exchange& exchange) const {
    const Finding finding = find(exchange.request().head);
    if (!finding.operation) return Error::invalid(finding.reason);
    exchange.identify(*finding.operation, POSTBUS_NO_NODE, POSTBUS_NO_NODE);
    return ok();
}

void AdminBinding::prepare(core::Exchange& exchange) const { exchange.draft().bytes.clear(core::transportHeadroom); }

Result<core::WireAnswer> AdminBinding::write(core::Exchange& exchange) const {
    core::WireAnswer answer;
    answer.status = exchange.draft().status;
    answer.contentType = mediaType;
    answer.body = std::move(exchange.draft().bytes);
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

core::WireAnswer AdminBinding::writeFault(const core::RequestHead& head, const core::Exchange*,
                                          const core::Fault& fault, std::string_view requestId, Buffer memory) const {
    Finding finding = find(head);
    core::WireAnswer answer;
    answer.status = finding.status == 200 ? core::httpStatus(fault.kind) : finding.status;
    answer.contentType = mediaType;
    if (answer.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (answer.status == 405) answer.headers.emplace_back("Allow", std::move(finding.allow));
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
