#include "tests/support/plugin_host.hpp"

#include <postbus/element.hpp>

#include <stdexcept>
#include <thread>

#include "formats/xml/parse.hpp"

namespace postbus::test {
namespace {

std::string_view view(postbus_str text) {
    return text.data ? std::string_view{text.data, text.size} : std::string_view{};
}
postbus_str borrow(std::string_view text) { return {text.data(), text.size()}; }

bool sameHeader(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if ((a[i] | 0x20) != (b[i] | 0x20)) return false;
    return true;
}

}  // namespace

PluginCall::PluginCall(std::string_view message, std::string_view contentType)
    : bytes_(message), contentType_(contentType) {
    static std::atomic<unsigned> serial{0};
    id_ = "test-" + std::to_string(++serial);
    lent_.self = this;
    postbus_call& c = lent_.c;
    c.size = sizeof c;
    c.payload = c.content = POSTBUS_NO_NODE;
    c.id = borrow(id_);
    c.content_type = borrow(contentType_);
    if (xml::parse(bytes_, {}, {}, tape_)) {
        c.tape = tape_.view();
        findPayload();
    } else {
        c.bytes = borrow(bytes_);
    }
    writer_.begin(out_);
}

void PluginCall::findPayload() {
    const Element root = tape_.root();
    if (root.local() != "Envelope") {
        lent_.c.payload = root.index();
        return;
    }
    const Element body = root.child(root.uri(), "Body");
    if (!body) throw std::invalid_argument("an Envelope without a Body of its namespace");
    lent_.c.content = body.index();
    if (const Element first = body.firstChild()) lent_.c.payload = first.index();
}

void PluginCall::complete(const postbus_fault* fault) {
    {
        const std::lock_guard lock(mutex_);
        if (fault) {
            answer_.fault = true;
            answer_.code = fault->code;
            answer_.reason = view(fault->reason);
            answer_.detail = view(fault->detail);
        } else if (!raw_) {
            if (const auto whole = writer_.finish(); !whole) {
                answer_.fault = true;
                answer_.code = POSTBUS_FAULT_RECEIVER;
                answer_.reason = whole.error().message();
            } else {
                answer_.payload = out_.view();
            }
        }
    }
    ++answers_;  // the last touch: whoever waits may destroy the call now
}

PluginAnswer PluginCall::answer(std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (answers_ == 0) {
        if (std::chrono::steady_clock::now() > end) throw std::runtime_error("no answer in time");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::lock_guard lock(mutex_);
    return answer_;
}

struct HostFunctions {
    static PluginHost& host(postbus_service_context* context) { return *reinterpret_cast<PluginHost*>(context); }

    static int define(postbus_service_context* context, const postbus_operation* operation) {
        PluginHost& self = host(context);
        if (!self.starting_ || self.refuses_) return 1;
        self.operations_.push_back(operation);
        return 0;
    }
    static void log(postbus_service_context* context, int level, postbus_str text) {
        PluginHost& self = host(context);
        const std::lock_guard lock(self.mutex_);
        self.log_.push_back({level, std::string(view(text))});
    }
    static postbus_str header(const postbus_call* call, postbus_str name) {
        for (const auto& [each, value] : PluginCall::of(call).requestHeaders_)
            if (sameHeader(each, view(name))) return borrow(value);
        return {};
    }
    static void setContentType(postbus_call* call, postbus_str type) {
        PluginCall::of(call).answer_.contentType = view(type);
    }
    static void setHeader(postbus_call* call, postbus_str name, postbus_str value) {
        PluginCall::of(call).answer_.headers.emplace_back(view(name), view(value));
    }
    static void setBytes(postbus_call* call, postbus_str bytes) {
        PluginCall& self = PluginCall::of(call);
        self.raw_ = true;
        self.answer_.payload = view(bytes);
    }
    static void reply(postbus_call* call) { PluginCall::of(call).complete(nullptr); }
    static void fail(postbus_call* call, const postbus_fault* fault) { PluginCall::of(call).complete(fault); }
    static const void* extension(postbus_service_context*, postbus_str) { return nullptr; }

    static xml::Writer& writer(postbus_call* call) { return PluginCall::of(call).writer_; }
    static void start(postbus_call* call, postbus_str uri, postbus_str local, postbus_str prefix) {
        writer(call).start(view(uri), view(local), view(prefix));
    }
    static void declare(postbus_call* call, postbus_str prefix, postbus_str uri) {
        writer(call).declare(view(prefix), view(uri));
    }
    static void attribute(postbus_call* call, postbus_str uri, postbus_str local, postbus_str prefix,
                          postbus_str value) {
        writer(call).attribute(view(uri), view(local), view(prefix), view(value));
    }
    static void text(postbus_call* call, postbus_str text) { writer(call).text(view(text)); }
    static void end(postbus_call* call) { writer(call).end(); }
    static void copy(postbus_call* call, const postbus_tape* tape, std::uint32_t node) {
        writer(call).copy({tape, node});
    }
    static void copyContent(postbus_call* call, const postbus_tape* tape, std::uint32_t node) {
        writer(call).copyContent({tape, node});
    }
};

const postbus_host& PluginHost::table() {
    using F = HostFunctions;
    static const postbus_writer writer{
        sizeof(postbus_writer), F::start, F::declare, F::attribute, F::text, F::end, F::copy, F::copyContent};
    static const postbus_host host{
        sizeof(postbus_host), POSTBUS_ABI_MAJOR, POSTBUS_ABI_MINOR, &writer,  F::define, F::log,      F::header,
        F::setContentType,    F::setHeader,      F::setBytes,       F::reply, F::fail,   F::extension};
    return host;
}

PluginHost::~PluginHost() {
    stop();
    destroy();
}

bool PluginHost::create() {
    self_ = service_.create(&table(), reinterpret_cast<postbus_service_context*>(this));
    return self_ != nullptr;
}

bool PluginHost::start() {
    starting_ = true;
    started_ = service_.start(self_) == 0;
    starting_ = false;
    return started_;
}

void PluginHost::stop() {
    if (std::exchange(started_, false)) service_.stop(self_);
}

void PluginHost::destroy() {
    if (void* const self = std::exchange(self_, nullptr)) service_.destroy(self);
    operations_.clear();
}

const postbus_operation* PluginHost::find(std::string_view name) const {
    for (const postbus_operation* each : operations_)
        if (view(each->name) == name) return each;
    return nullptr;
}

std::vector<PluginHost::LogLine> PluginHost::log() const {
    const std::lock_guard lock(mutex_);
    return log_;
}

void PluginHost::dispatch(PluginCall& call) {
    const postbus_operation* chosen = nullptr;
    const Element payload = call.payload();
    for (const postbus_operation* each : operations_) {
        if ((each->flags & POSTBUS_OPERATION_ANY) != 0 && !chosen) chosen = each;
        if (payload && view(each->in_element) == payload.local() && view(service_.ns) == payload.uri()) {
            chosen = each;
            break;
        }
    }
    dispatch(call, chosen ? *chosen : *operations_.at(0));
}

void PluginHost::dispatch(PluginCall& call, const postbus_operation& operation) {
    call.c()->operation = operation.id;
    service_.handle(self_, call.c());
}

PluginAnswer PluginHost::call(std::string_view message) {
    PluginCall call(message);
    dispatch(call);
    return call.answer();
}

}  // namespace postbus::test
