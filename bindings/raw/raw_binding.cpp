#include "bindings/raw/raw_binding.hpp"

#include <utility>

#include "core/port/inbound_port.hpp"

namespace postbus::raw {
namespace {

class RawBinding final : public core::Binding {
public:
    RawBinding(const wsdl::Operation& operation, std::shared_ptr<const core::Binding> terms)
        : operation_(operation), terms_(std::move(terms)) {}

    bool claims(const core::RequestHead& head) const override {
        return head.method != "CONNECT" && head.method != "TRACE";
    }
    std::string_view methods() const override { return "GET, HEAD, POST, PUT, DELETE, PATCH"; }
    bool passesBodies() const override { return true; }

    Result<void> read(core::Exchange&) const override { return ok(); }
    Result<void> unwrap(core::Exchange& exchange) const override {
        exchange.identify(operation_, POSTBUS_NO_NODE, POSTBUS_NO_NODE);
        return ok();
    }
    void prepare(core::Exchange& exchange) const override { exchange.draft().bytes.clear(core::transportHeadroom); }

    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        core::AnswerDraft& draft = exchange.draft();
        answer.status = draft.status;
        answer.contentType = draft.contentType;
        answer.body = std::move(draft.bytes);
        answer.headers = std::move(draft.headers);
        answer.passed = &draft.passed;
        answer.stream = std::move(draft.stream);
        answer.length = draft.length;
        answer.coded = true;
        return ok();
    }

    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange*, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        if (head.method == "POST") return terms_->writeFault(head, nullptr, fault, requestId, std::move(memory));
        memory.clear(core::transportHeadroom);
        for (const std::string_view part :
             {std::string_view(fault.reason), std::string_view(" (request "), requestId, std::string_view(")\n")})
            memory.append(part);
        core::WireAnswer answer;
        answer.status = core::httpStatus(fault.kind);
        answer.contentType = "text/plain; charset=utf-8";
        answer.body = std::move(memory);
        return answer;
    }

private:
    const wsdl::Operation& operation_;
    std::shared_ptr<const core::Binding> terms_;
};

}  // namespace

std::shared_ptr<const core::Binding> makeRawBinding(const wsdl::Operation& operation,
                                                    std::shared_ptr<const core::Binding> terms) {
    return std::make_shared<RawBinding>(operation, std::move(terms));
}

}  // namespace postbus::raw
