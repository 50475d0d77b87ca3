#include "admin/queue_answer.hpp"

#include <utility>

#include "admin/message_fields.hpp"
#include "core/exchange/exchange_pool.hpp"

namespace postbus::admin {

Result<bool> wantsRaw(const Query& query) {
    const std::string_view form = query.text("body");
    if (!form.empty() && form != "raw" && form != "json") return Error::invalid("body is raw or json");
    return form == "raw";
}

Result<std::shared_ptr<Handover>> answerRaw(core::Exchange& exchange, const ShownMessage& shown,
                                            std::shared_ptr<const queues::Message> message, Handover::Confirm confirm) {
    auto fields = fieldsOf(shown);
    if (!fields) return std::move(fields).error();
    const std::string_view body = message->body;
    auto made = Handover::make(exchange.home().loop(), {std::move(message), body}, std::move(confirm));
    core::AnswerDraft& draft = exchange.draft();
    draft.raw = true;
    draft.contentType = std::move(fields->contentType);
    draft.headers = std::move(fields->fields);
    draft.stream = std::move(made.stream);
    draft.length = body.size();
    return std::move(made.handover);
}

void answerNothing(core::Exchange& exchange) {
    exchange.draft().raw = true;
    exchange.draft().status = 204;
}

}  // namespace postbus::admin
