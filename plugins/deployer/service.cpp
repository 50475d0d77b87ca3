#include "plugins/deployer/service.hpp"

#include <exception>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/host_table.hpp"
#include "plugins/deployer/operation.hpp"
#include "plugins/tables/check.hpp"

namespace postbus::deployer {
namespace {

using tables::view;

/// What a service says of its failure, without half of a character at the end.
std::string_view shortened(std::string_view text) {
    std::size_t end = 500;
    if (text.size() <= end) return text;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

// Counts the calling thread in, for as long as a frame of the plugin may be on its stack.
class Inside {
public:
    explicit Inside(LaneCounter& count) : count_(count) { count_.enter(); }
    // The last touch of anything of the generation: with it the deployer may unload the code.
    ~Inside() { count_.leave(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    LaneCounter& count_;
};

// Runs a function of the plugin's; what it throws, against the rules, ends here.
template <class Call>
bool guarded(const char* where, const std::string& service, Call&& call) {
    try {
        call();
        return true;
    } catch (const std::exception& thrown) {
        log::emit(PluginMisbehaved, {{"service", service}, {"in", where}, {"threw", thrown.what()}});
    } catch (...) {
        log::emit(PluginMisbehaved, {{"service", service}, {"in", where}, {"threw", "something"}});
    }
    return false;
}

}  // namespace

Service::Service(const postbus_service& table, const Origin& origin, LaneCounter& inside)
    : table_(table), origin_(origin), inside_(inside), version_(view(table.version)), path_(tables::pathOf(table)) {
    contract_.name = view(table.name);
    contract_.ns = view(table.ns);
    contract_.implementation = table.implementation.data ? view(table.implementation) : view(table.name);
    contract_.doc = view(table.doc);
    contract_.document = origin.document;
    contract_.documents = origin.documents;
    if (version_.empty()) version_ = origin.version;
    if (origin.queues) queues_.emplace(*origin.queues, *this);
}

Result<void> Service::create() {
    guarded("create", contract_.name, [this] { self_ = table_.create(&hostTable(), this); });
    if (!self_) return Error::internal("service " + contract_.name + " could not be created");
    return ok();
}

int Service::callStart() {
    const auto startedBy = [this](std::thread::id who) {
        const std::lock_guard lock(complaining_);
        starter_ = who;
    };
    int status = -1;
    starting_ = true;
    startedBy(std::this_thread::get_id());
    guarded("start", contract_.name, [&] { status = table_.start(self_); });
    startedBy({});
    starting_ = false;
    return status;
}

/// With what the service itself has logged last: the operator shall not have to look for it.
std::string Service::whyNotStarted(int status) const {
    const std::string what = "service " + contract_.name + " could not be started (" + std::to_string(status) + ")";
    const std::lock_guard lock(complaining_);
    return complaint_.empty() ? what + "; it logged no error that would say why" : what + ": " + complaint_;
}

Result<void> Service::start() {
    if (auto created = create(); !created) return created;
    const int status = callStart();
    std::string problem;
    if (!problem_.empty())
        problem = "service " + contract_.name + ": " + problem_;
    else if (status != 0)
        problem = whyNotStarted(status);
    else if (contract_.operations.empty())
        problem = "service " + contract_.name + " defines no operation";
    else if (const auto valid = wsdl::validate(contract_); !valid)
        problem = "service " + contract_.name + " can't be described: " + valid.error().message();
    if (problem.empty()) return ok();
    leaveQueues();
    if (status == 0) guarded("stop", contract_.name, [this] { table_.stop(self_); });
    destroy();
    return Error::internal(std::move(problem));
}

/// Before its stop: a thread of its own that waits for a message is to see that it is time.
void Service::leaveQueues() {
    if (queues_) queues_->leave();
}

void Service::stop() {
    leaveQueues();
    guarded("stop", contract_.name, [this] { table_.stop(self_); });
    destroy();
}

void Service::destroy() {
    guarded("destroy", contract_.name, [this] { table_.destroy(self_); });
    self_ = nullptr;
}

void Service::process(core::ExchangePtr exchange) {
    const Inside inside(inside_);
    const CallInHand call(core::Exchange::lend(std::move(exchange)));
    const bool returned = guarded("handle", contract_.name, [&] { table_.handle(self_, call.get()); });
    if (!returned && call.unanswered()) {
        // Nothing was answered on this thread, so the exchange is still the one that was lent.
        if (auto back = core::Exchange::reclaim(call.get()))
            core::Exchange::fail(std::move(back), Error::internal("the service failed"));
    }
}

int Service::define(const postbus_operation& operation) {
    if (!starting_) {
        problem_ = "operations are defined within start only";
    } else if (auto made = toOperation(operation, contract_); made) {
        contract_.operations.push_back(std::move(*made));
        return 0;
    } else if (problem_.empty()) {
        problem_ = made.error().message();
    }
    log::emit(PluginLogError, {{"plugin", origin_.plugin}, {"service", contract_.name}, {"text", problem_}});
    return -1;
}

void Service::misbehaved(const char* where) const {
    log::emit(PluginMisbehaved, {{"service", contract_.name}, {"in", where}, {"threw", "something"}});
}

void Service::log(int level, std::string_view text) const {
    const log::Event& event = level <= POSTBUS_LOG_DEBUG     ? PluginLogDebug
                              : level == POSTBUS_LOG_INFO    ? PluginLogInfo
                              : level == POSTBUS_LOG_WARNING ? PluginLogWarning
                                                             : PluginLogError;
    log::emit(event, {{"plugin", origin_.plugin}, {"service", contract_.name}, {"text", text}});
    if (level < POSTBUS_LOG_ERROR) return;
    const std::lock_guard lock(complaining_);
    if (starter_ == std::this_thread::get_id()) complaint_ = shortened(text);
}

}  // namespace postbus::deployer
