#include "plugins/deployer/host_table.hpp"

#include <atomic>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "core/exchange/exchange.hpp"
#include "core/routing/route_table.hpp"
#include "plugins/deployer/call_state_table.hpp"
#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/invoke_table.hpp"
#include "plugins/deployer/out_table.hpp"
#include "plugins/deployer/queues_table.hpp"
#include "plugins/deployer/resume_table.hpp"
#include "plugins/deployer/service.hpp"
#include "plugins/tables/check.hpp"

// No exception may pass from here into a plugin: it may have been built by another compiler, or in C.
namespace postbus::deployer {
namespace {

using core::Exchange;
using tables::view;

std::atomic<std::uint64_t> misuses_{0};
thread_local CallInHand* inHand = nullptr;

core::AnswerDraft& draft(postbus_call* call) { return Exchange::of(call).draft(); }
core::PayloadWriter& writer(postbus_call* call) { return *core::LentCall::of(call).writer_; }

// An answer of which a piece found no memory must not go out as if it were whole: a forbidden character is an error
// that the writer remembers.
template <class Write>
void writing(postbus_call* call, Write&& write) noexcept {
    try {
        write(writer(call));
    } catch (...) {
        writer(call).text("\x01");
    }
}

void writeStart(postbus_call* call, postbus_str uri, postbus_str local, postbus_str prefix) {
    writing(call, [&](core::PayloadWriter& out) { out.start(view(uri), view(local), view(prefix)); });
}
void writeDeclare(postbus_call* call, postbus_str prefix, postbus_str uri) {
    writing(call, [&](core::PayloadWriter& out) { out.declare(view(prefix), view(uri)); });
}
void writeAttribute(postbus_call* call, postbus_str uri, postbus_str local, postbus_str prefix, postbus_str value) {
    writing(call, [&](core::PayloadWriter& out) { out.attribute(view(uri), view(local), view(prefix), view(value)); });
}
void writeText(postbus_call* call, postbus_str text) {
    writing(call, [&](core::PayloadWriter& out) { out.text(view(text)); });
}
void writeEnd(postbus_call* call) {
    writing(call, [&](core::PayloadWriter& out) { out.end(); });
}

bool isElement(const postbus_tape* tape, std::uint32_t node) {
    return tape && node < tape->node_count && tape->nodes[node].kind == POSTBUS_NODE_ELEMENT;
}
void writeCopy(postbus_call* call, const postbus_tape* tape, std::uint32_t node) {
    writing(call, [&](core::PayloadWriter& out) { isElement(tape, node) ? out.copy({tape, node}) : out.text("\x01"); });
}
void writeCopyContent(postbus_call* call, const postbus_tape* tape, std::uint32_t node) {
    writing(call, [&](core::PayloadWriter& out) {
        isElement(tape, node) ? out.copyContent({tape, node}) : out.text("\x01");
    });
}

constexpr postbus_writer writerTable{
    sizeof(postbus_writer), writeStart, writeDeclare, writeAttribute, writeText, writeEnd, writeCopy, writeCopyContent};

int define(postbus_service_context* context, const postbus_operation* operation) {
    if (!operation) return -1;
    try {
        return Service::of(context).define(*operation);
    } catch (...) {
        return -1;
    }
}

void logText(postbus_service_context* context, int level, postbus_str text) {
    try {
        Service::of(context).log(level, view(text));
    } catch (...) {  // a line that can't be written is dropped
    }
}

postbus_str header(const postbus_call* call, postbus_str name) {
    const auto value = Exchange::of(call).request().head.headers.find(view(name));
    return value ? postbus_str{value->data() ? value->data() : "", value->size()} : postbus_str{nullptr, 0};
}

// What of an answer's head found no memory is answered as a fault.
template <class Set>
void setting(postbus_call* call, Set&& set) noexcept {
    try {
        set(draft(call));
    } catch (...) {
        draft(call).raw = false;
        writer(call).text("\x01");
    }
}

// RFC 9110 section 5.1 and 5.5: a value that could end its line could forge another field.
bool isFieldName(std::string_view name) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && others.find(c) == std::string_view::npos) return false;
    }
    return !name.empty();
}
bool isFieldValue(std::string_view value) {
    for (const char c : value)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) return false;
    return true;
}

void misused(const postbus_call* call, const char* what) {
    misuses_.fetch_add(1, std::memory_order_relaxed);
    log::emit(PluginMisbehaved, {{"service", Exchange::of(call).admission().route->name}, {"what", what}});
}

void setContentType(postbus_call* call, postbus_str type) {
    setting(call, [&](core::AnswerDraft& its) {
        if (!isFieldValue(view(type))) return misused(call, "a content type with control characters, left out");
        its.contentType = view(type);
    });
}
void setHeader(postbus_call* call, postbus_str name, postbus_str value) {
    setting(call, [&](core::AnswerDraft& its) {
        if (!isFieldName(view(name)) || !isFieldValue(view(value)))
            return misused(call, "a header field with characters that may not stand in one, left out");
        its.headers.emplace_back(view(name), view(value));
    });
}
void setBytes(postbus_call* call, postbus_str bytes) {
    setting(call, [&](core::AnswerDraft& its) {
        its.bytes.truncate(0);
        its.bytes.append(view(bytes));
        its.raw = true;
    });
}

// The exchange, if the call is still the plugin's to complete.
core::ExchangePtr take(postbus_call* call) {
    CallInHand::answered(call);
    core::ExchangePtr exchange = Exchange::reclaim(call);
    if (!exchange) misuses_.fetch_add(1, std::memory_order_relaxed);
    return exchange;
}

void reply(postbus_call* call) {
    try {
        if (auto exchange = take(call)) Exchange::reply(std::move(exchange));
    } catch (...) {  // answered by the exchange itself as it is dropped
    }
}

void fail(postbus_call* call, const postbus_fault* told) {
    try {
        auto exchange = take(call);
        if (!exchange) return;
        core::Fault fault;
        fault.reason = "the service failed without a reason";
        if (told && told->size >= sizeof(postbus_fault)) {
            const bool sender = told->code == POSTBUS_FAULT_SENDER;
            fault.code = sender ? core::Fault::Code::Sender : core::Fault::Code::Receiver;
            fault.kind = sender ? Error::Kind::Invalid : Error::Kind::Internal;
            if (told->reason.size) fault.reason = view(told->reason);
            fault.detail = view(told->detail);
        }
        Exchange::fail(std::move(exchange), std::move(fault));
    } catch (...) {
    }
}

const void* extension(postbus_service_context* context, postbus_str id) {
    if (view(id) == POSTBUS_CALL_STATE) return &callStateTable();
    if (view(id) == POSTBUS_INVOKE && Service::of(context).bus()) return &invokeTable();
    if (view(id) == POSTBUS_OUT_FIRST && Service::of(context).bus()) return &outTable();
    if (view(id) == POSTBUS_RESUME && Service::of(context).bus()) return &resumeTable();
    if (view(id) == POSTBUS_QUEUES && Service::of(context).queues()) return &queuesTable();
    return nullptr;
}

}  // namespace

const postbus_host& hostTable() {
    static constexpr postbus_host table{
        sizeof(postbus_host), POSTBUS_ABI_MAJOR, POSTBUS_ABI_MINOR, &writerTable, define, logText,  header,
        setContentType,       setHeader,         setBytes,          reply,        fail,   extension};
    return table;
}

std::uint64_t misuses() { return misuses_.load(std::memory_order_relaxed); }

CallInHand::CallInHand(postbus_call* call) : call_(call), outer_(inHand) { inHand = this; }
CallInHand::~CallInHand() { inHand = outer_; }

void CallInHand::answered(const postbus_call* call) {
    for (CallInHand* each = inHand; each; each = each->outer_)
        if (each->call_ == call) each->answered_ = true;
}

}  // namespace postbus::deployer
