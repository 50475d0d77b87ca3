#include "plugins/deployer/generation.hpp"

#include <utility>

#include "plugins/tables/check.hpp"

namespace postbus::deployer {

Result<std::unique_ptr<Generation>> Generation::load(std::string copy, Origin origin,
                                                     const std::function<void()>& starting) {
    auto library = Library::open(std::move(copy));
    if (!library) return std::move(library).error();
    std::unique_ptr<Generation> generation(new Generation(std::move(*library), std::move(origin)));
    starting();
    if (auto started = generation->start(); !started) return std::move(started).error();
    return generation;
}

Generation::Generation(Library library, Origin origin)
    : origin_(std::move(origin)), copy_(library.path()), library_(std::move(library)) {
    origin_.plugin = tables::view(library_.plugin()->name);
    origin_.version = tables::view(library_.plugin()->version);
}

Generation::~Generation() { stop(); }

Result<void> Generation::start() {
    const postbus_plugin& plugin = *library_.plugin();
    for (std::uint32_t i = 0; i < plugin.service_count; ++i) {
        auto service = std::make_unique<Service>(*plugin.services[i], origin_, inside_);
        if (auto started = service->start(); !started) return started;  // the destructor stops those before it
        services_.push_back(std::move(service));
    }
    return ok();
}

std::vector<ActiveService> Generation::services(const std::shared_ptr<Generation>& self) const {
    std::vector<ActiveService> all;
    for (const auto& each : services_)
        all.push_back({std::string(each->name()), each->path(), origin_.plugin,
                       std::shared_ptr<core::Endpoint>(self, each.get())});
    return all;
}

std::vector<std::string> Generation::serviceNames() const {
    std::vector<std::string> names;
    for (const auto& each : services_) names.emplace_back(each->name());
    return names;
}

bool Generation::has(std::string_view service) const {
    for (const auto& each : services_)
        if (each->name() == service) return true;
    return false;
}

void Generation::takeMessages() {
    for (const auto& each : services_)
        if (auto* queues = each->queues()) queues->serve();
}
void Generation::leaveQueues() {
    for (const auto& each : services_)
        if (auto* queues = each->queues()) queues->leave();
}
void Generation::giveUpMessages() {
    for (const auto& each : services_)
        if (auto* queues = each->queues()) queues->giveUp();
}

void Generation::stop() {
    while (!services_.empty()) {
        services_.back()->stop();
        services_.pop_back();
    }
}

bool Generation::unload() { return library_.close(); }

void Generation::abandon() {
    for (auto& each : services_) (void)each.release();
    services_.clear();
    library_.abandon();
}

}  // namespace postbus::deployer
