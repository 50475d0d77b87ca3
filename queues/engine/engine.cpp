#include "queues/engine/engine.hpp"

#include "queues/engine/core/core.hpp"

namespace postbus::queues {

Result<std::unique_ptr<Engine>> Engine::open(std::unique_ptr<QueueStore> store, EngineSettings settings,
                                             Clocks clocks) {
    auto core = std::make_shared<Core>(std::move(store), std::move(settings), std::move(clocks));
    if (auto recovered = core->recover(); !recovered) return std::move(recovered).error();
    return std::unique_ptr<Engine>(new Engine(std::move(core)));
}

Engine::~Engine() { core_->shut(); }

void Engine::start() { core_->start(); }
bool Engine::step() { return core_->step(); }
Result<void> Engine::stop() { return core_->stop(); }
QueueStore::State Engine::storeState() const { return core_->storeState(); }

std::unique_ptr<Session> Engine::connect(std::string_view clientId) {
    return std::make_unique<Session>(core_, core_->connect(clientId));
}

void Engine::send(std::string_view queue, Message message, Done done) {
    core_->send(queue, std::move(message), std::move(done));
}
void Engine::publish(std::string_view topic, Message message, Done done) {
    core_->publish(0, topic, std::move(message), std::move(done));
}

Result<void> Engine::declareQueue(std::string_view name, const QueueSettings& settings) {
    return core_->declareQueue(name, settings);
}
Result<void> Engine::declareTopic(std::string_view name) { return core_->declareTopic(name); }
void Engine::remove(std::string_view name, Done done) { core_->remove(name, std::move(done)); }

std::vector<QueueStatus> Engine::status() const { return core_->status(); }
Result<QueueStatus> Engine::status(std::string_view queue) const { return core_->status(queue); }
std::vector<std::string> Engine::topics() const { return core_->topics(); }
Result<std::vector<Browsed>> Engine::browse(std::string_view queue, const BrowseQuery& query) const {
    return core_->browse(queue, query);
}

void Engine::purge(std::string_view queue, const Choice& choice, Counted done) {
    core_->bulk(Core::BulkKind::Purge, queue, {}, choice, std::move(done));
}
void Engine::move(std::string_view from, std::string_view to, const Choice& choice, Counted done) {
    core_->bulk(Core::BulkKind::Move, from, to, choice, std::move(done));
}
void Engine::retry(std::string_view deadLetters, const Choice& choice, Counted done) {
    core_->bulk(Core::BulkKind::Retry, deadLetters, {}, choice, std::move(done));
}
Result<void> Engine::pause(std::string_view queue, bool in, bool out) { return core_->pause(queue, in, out); }
Result<void> Engine::resume(std::string_view queue) { return core_->pause(queue, false, false); }

}  // namespace postbus::queues
