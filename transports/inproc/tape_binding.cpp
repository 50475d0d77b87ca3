#include "transports/inproc/tape_binding.hpp"

#include "core/exchange/exchange.hpp"
#include "core/port/inbound_port.hpp"
#include "core/routing/route_table.hpp"
#include "formats/mime/media_type.hpp"
#include "formats/xml/parse.hpp"

namespace postbus::inproc {
namespace {

std::string named(Element root) {
    std::string name = "{";
    name += root.uri();
    name += '}';
    return name += root.local();
}

/// Whether bytes of this type are a message that a tape can hold; services that say nothing give XML.
bool isXml(std::string_view contentType) {
    if (contentType.empty()) return true;
    const auto type = mime::MediaType::parse(contentType);
    return type && (type->is("text", "xml") || type->is("application", "xml") || type->subtype().ends_with("+xml"));
}

}  // namespace

Result<void> TapeBinding::unwrap(core::Exchange& exchange) const {
    const core::Route& route = *exchange.admission().route;
    const Element root = exchange.tape().root();
    const wsdl::Operation* operation = route.endpoint->contract().find(root ? root.uri() : std::string_view(),
                                                                       root ? root.local() : std::string_view());
    if (!operation)
        return Error::invalid("endpoint " + route.name + " has no operation for " +
                              (root ? "the element " + named(root) : std::string("an empty message")));
    exchange.identify(*operation, root ? 0 : POSTBUS_NO_NODE, POSTBUS_NO_NODE);
    return ok();
}

void TapeBinding::prepare(core::Exchange& exchange) const {
    core::AnswerDraft& draft = exchange.draft();
    draft.bytes.clear();
    draft.writer.begin(draft.tape);
}

Result<void> TapeBinding::finish(core::Exchange& exchange) const {
    core::AnswerDraft& draft = exchange.draft();
    if (!draft.raw) return draft.writer.finish();
    if (!isXml(draft.contentType)) return ok();
    auto parsed = xml::parse(draft.bytes.view(), "utf-8", xml::Limits{}, draft.tape);
    if (!parsed) return Error::internal("the service's answer is no XML: " + parsed.error().message());
    return ok();
}

Result<void> TapeBinding::write(core::Exchange& exchange, core::WireAnswer& answer) const {
    core::AnswerDraft& draft = exchange.draft();
    answer.contentType = draft.contentType;
    if (!draft.raw || isXml(draft.contentType))
        answer.tape = &draft.tape;
    else
        answer.body = std::move(draft.bytes);
    return ok();
}

core::WireAnswer TapeBinding::writeFault(const core::RequestHead&, const core::Exchange*, const core::Fault& fault,
                                         std::string_view, Buffer memory) const {
    core::WireAnswer answer;
    answer.status = core::httpStatus(fault.kind);
    answer.body = std::move(memory);
    return answer;
}

}  // namespace postbus::inproc
