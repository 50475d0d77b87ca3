#include "server/composition/composition.hpp"

#include <algorithm>

#include "bindings/soap/soap_binding.hpp"
#include "config/equal.hpp"
#include "endpoints/destination/destination_endpoint.hpp"
#include "endpoints/remote/remote_bindings.hpp"
#include "endpoints/remote/remote_endpoint.hpp"
#include "server/composition/awaited_binding.hpp"
#include "server/composition/chains.hpp"
#include "server/composition/changes.hpp"

namespace postbus::server {
namespace {

using deployer::ActiveService;
using Services = std::vector<ActiveService>;

const EndpointConfig defaults;
const wsdl::Contract noContract;

const ActiveService* find(const Services& services, std::string_view name) {
    const auto at = std::find_if(services.begin(), services.end(), [&](const auto& each) { return each.name == name; });
    return at == services.end() ? nullptr : &*at;
}

std::string nameAndOrigin(const ActiveService& service) { return service.plugin + '/' + service.name; }

soap::SoapConfig soapOf(const EndpointConfig* config) {
    return config && config->soap ? *config->soap : soap::SoapConfig{};
}

/// Where it takes messages from, for people; empty: nowhere.
std::string sourcesOf(const EndpointConfig& config) {
    std::string text = config.queue ? config.queue->name : std::string();
    if (config.topic) text += (text.empty() ? "topic:" : ", topic:") + config.topic->name;
    return text;
}

std::string targetOf(const EndpointConfig& config) {
    if (!config.leadsOut()) return std::string(config.service());
    return config.to.empty() ? "the address of each message" : config.to;
}

/// An endpoint that asks for the path its plugin names.
struct Candidate {
    std::string name;
    const ActiveService* service;
    const EndpointConfig* config;
};

}  // namespace

/// What is being put together.
struct Composition::Draft {
    explicit Draft(Composition& owner) : composition(owner), inForce(owner.bus_.routes()) {}

    Composition& composition;
    std::shared_ptr<const core::RouteTable> inForce;  ///< the table until now
    std::shared_ptr<core::RouteTable> table = std::make_shared<core::RouteTable>();
    std::vector<EndpointView> view;
    /// Paths and names that two plugins want: "path /x of B is taken by A".
    std::vector<std::pair<std::string, std::string>> clashes;  ///< endpoint, what

    EndpointView& see(const std::string& name, const std::string& serviceName, const ActiveService* service);
    EndpointView* named(const std::string& name);
    core::Route made(const EndpointView& seen, const EndpointConfig& config, const EndpointView::Place& place,
                     const ActiveService* service) const;
    Result<void> route(EndpointView& seen, const EndpointConfig& config, EndpointView::Place place,
                       const ActiveService* service);
    void wire(core::Route& route, const EndpointConfig& config, const std::string& whyNot) const;
    void addConfigured(const Endpoints& endpoints, const Services& services, std::vector<Candidate>& candidates);
    void addOwnDefaults(const Endpoints& endpoints, const Services& services, std::vector<Candidate>& candidates);
    void settle(std::vector<Candidate> candidates, const Endpoints& endpoints, const std::vector<EndpointView>& before);
};

EndpointView& Composition::Draft::see(const std::string& name, const std::string& serviceName,
                                      const ActiveService* service) {
    EndpointView& seen = view.emplace_back();
    seen.name = name;
    seen.service = serviceName;
    if (!service) {
        seen.state = EndpointView::State::Waiting;
        seen.reason = "service " + serviceName + " is not deployed";
        return seen;
    }
    seen.plugin = service->plugin;
    seen.version = service->endpoint->version();
    for (const wsdl::Operation& each : service->endpoint->contract().operations)
        seen.operations.push_back(each.any ? "*" : each.name);
    return seen;
}

EndpointView* Composition::Draft::named(const std::string& name) {
    const auto at = std::find_if(view.begin(), view.end(), [&](const auto& each) { return each.name == name; });
    return at == view.end() ? nullptr : &*at;
}

core::Route Composition::Draft::made(const EndpointView& seen, const EndpointConfig& config,
                                     const EndpointView::Place& place, const ActiveService* service) const {
    core::Route route;
    route.name = seen.name;
    route.listener = place.listener;
    route.path = place.path;
    route.limits.body = config.limits.body;
    route.limits.timeout = config.limits.timeout;
    route.limits.concurrency = config.limits.concurrency;
    route.dispatch = config.dispatch;
    route.inside = composition.insideOf(seen.name);
    if (service) route.endpoint = service->endpoint;
    wire(route, config, seen.reason);
    return route;
}

Result<void> Composition::Draft::route(EndpointView& seen, const EndpointConfig& config, EndpointView::Place place,
                                       const ActiveService* service) {
    if (auto added = table->add(made(seen, config, place, service)); !added) return added;
    seen.places.push_back(std::move(place));
    return ok();
}

/// Gives the route its bindings and its interceptors: those of the table in force where nothing changed for it, since a
/// WSDL is made once, not with every plugin that comes.
void Composition::Draft::wire(core::Route& route, const EndpointConfig& config, const std::string& whyNot) const {
    const soap::SoapConfig soap = soapOf(&config);
    if (!route.endpoint) {
        route.bindings = {std::make_shared<AwaitedBinding>(soap::makeWsdlBinding(noContract, soap), whyNot),
                          std::make_shared<AwaitedBinding>(soap::makeSoapBinding(noContract, soap), whyNot)};
        return;
    }
    if (!config.callbacks.empty()) return;  // reached from inside alone
    if (config.remote()) {
        route.bindings = remote::makeBindings(static_cast<const remote::RemoteEndpoint&>(*route.endpoint), soap);
        return;
    }
    if (config.toDestination()) {
        route.bindings = {
            destination::makeDestinationBinding(static_cast<const destination::DestinationEndpoint&>(*route.endpoint),
                                                soap::makeSoapBinding(noContract, soap))};
        return;
    }
    const auto known = composition.endpoints_.find(route.name);
    const EndpointConfig& former = known == composition.endpoints_.end() ? defaults : known->second;
    const core::Route* there = inForce ? inForce->find(route.listener, route.path) : nullptr;
    if (there && there->name == route.name && there->endpoint == route.endpoint &&
        config::equal(soapOf(&former), soap) && config::equal(former.interceptors, config.interceptors)) {
        route.bindings = there->bindings;
        route.chain = there->chain;
        return;
    }
    const wsdl::Contract& contract = route.endpoint->contract();
    route.bindings = {soap::makeWsdlBinding(contract, soap, policyOf(config.interceptors)),
                      soap::makeSoapBinding(contract, soap)};
    route.chain = makeChain(contract, config.interceptors, composition.sender_);
}

void Composition::Draft::addConfigured(const Endpoints& endpoints, const Services& services,
                                       std::vector<Candidate>& candidates) {
    for (const auto& [name, config] : endpoints) {
        const std::string target = targetOf(config);
        const Outside::Place* place = config.leadsOut() ? composition.outside_.at(name, config) : nullptr;
        const ActiveService* service = place ? &place->service : find(services, target);
        if (!config.http && service && !config.leadsOut()) {
            candidates.push_back({name, service, &config});
            continue;
        }
        EndpointView& seen = see(name, target, service);
        seen.queue = sourcesOf(config);
        for (const EndpointPath& each : config.http.value_or(std::vector<EndpointPath>{})) {
            if (auto routed = route(seen, config, {each.listener, each.path}, service); !routed)
                seen.reason = routed.error().message();
        }
        if (!service || !seen.places.empty()) continue;
        if (!seen.reason.empty() && seen.queue.empty()) seen.state = EndpointView::State::Unreachable;
        core::Route named = made(seen, config, {}, service);
        if (place) named.callbacks = place->callbacks;
        table->addNamed(std::move(named));
    }
}

void Composition::Draft::addOwnDefaults(const Endpoints& endpoints, const Services& services,
                                        std::vector<Candidate>& candidates) {
    std::vector<std::string> names;
    for (const ActiveService& each : services) {
        if (std::find(names.begin(), names.end(), each.name) != names.end()) {
            clashes.emplace_back(nameAndOrigin(each), "service " + each.name + " of plugin " + each.plugin +
                                                          " is there already, from plugin " +
                                                          find(services, each.name)->plugin);
            continue;
        }
        names.push_back(each.name);
        if (!endpoints.contains(each.name)) candidates.push_back({each.name, &each, &defaults});
    }
}

/// Who has had a path keeps it: those come first.
void Composition::Draft::settle(std::vector<Candidate> candidates, const Endpoints& endpoints,
                                const std::vector<EndpointView>& before) {
    std::stable_partition(candidates.begin(), candidates.end(), [&](const Candidate& each) {
        return std::any_of(before.begin(), before.end(), [&](const EndpointView& seen) {
            const auto has = [&](const auto& place) { return place.path == each.service->path; };
            return seen.name == each.name && std::any_of(seen.places.begin(), seen.places.end(), has);
        });
    });
    for (const Candidate& each : candidates) {
        EndpointView& seen = see(each.name, each.service->name, each.service);
        seen.queue = sourcesOf(*each.config);
        if (auto routed = route(seen, *each.config, {{}, each.service->path}, each.service); !routed) {
            if (seen.queue.empty()) seen.state = EndpointView::State::Unreachable;
            seen.reason = routed.error().message();
            table->addNamed(made(seen, *each.config, {}, each.service));
            // Against the configuration nobody is a newcomer to refuse: it may have meant just this. (It alone names
            // listeners, and one of those has the path where none has it on all of them.)
            const core::Route* holder = table->find({}, each.service->path);
            if (holder && !endpoints.contains(holder->name)) clashes.emplace_back(each.name, seen.reason);
        }
    }
}

std::shared_ptr<LaneCounter> Composition::insideOf(const std::string& endpoint) {
    auto& inside = inside_[endpoint];
    if (!inside) inside = std::make_shared<LaneCounter>();
    return inside;
}

Result<void> Composition::compose(const Endpoints& endpoints, Services services, bool refuseNewcomers) {
    std::stable_partition(services.begin(), services.end(), [&](const ActiveService& each) {
        return std::any_of(services_.begin(), services_.end(),
                           [&](const ActiveService& old) { return nameAndOrigin(old) == nameAndOrigin(each); });
    });
    Draft draft(*this);
    std::vector<Candidate> candidates;
    draft.addConfigured(endpoints, services, candidates);
    draft.addOwnDefaults(endpoints, services, candidates);
    draft.settle(std::move(candidates), endpoints, view_);
    for (const auto& [endpoint, what] : draft.clashes) {
        if (refuseNewcomers && !clashing_.contains(endpoint)) return Error::invalid(what);
    }
    clashing_.clear();
    for (auto& [endpoint, what] : draft.clashes) clashing_.insert(std::move(endpoint));
    std::sort(draft.view.begin(), draft.view.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    std::erase_if(inside_, [&](const auto& each) { return !draft.named(each.first) && each.second.use_count() == 1; });
    outside_.keep(endpoints);

    if (open_) tellChanges(view_, draft.view);
    view_ = std::move(draft.view);
    services_ = std::move(services);
    bus_.publish(std::move(draft.table));
    return ok();
}

void Composition::open() {
    const std::lock_guard lock(mutex_);
    (void)compose(endpoints_, services_, false);
    tellChanges({}, view_);
    open_ = true;
}

void Composition::configure(Endpoints configured) {
    Endpoints endpoints = withOut(std::move(configured));
    const std::lock_guard lock(mutex_);
    (void)compose(endpoints, services_, false);
    endpoints_ = std::move(endpoints);
}

Result<void> Composition::publish(const Services& services) {
    const std::lock_guard lock(mutex_);
    return compose(endpoints_, services, true);
}

void Composition::clear() {
    const std::lock_guard lock(mutex_);
    services_.clear();
    outside_.clear();
    view_.clear();
    bus_.publish(nullptr);
}

std::vector<EndpointView> Composition::view() const {
    const std::lock_guard lock(mutex_);
    std::vector<EndpointView> view = view_;
    for (EndpointView& each : view)
        if (const auto inside = inside_.find(each.name); inside != inside_.end())
            each.open = static_cast<std::int32_t>(inside->second->count());
    return view;
}

std::vector<std::string> Composition::waiting() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const EndpointView& each : view_)
        if (each.state == EndpointView::State::Waiting) names.push_back(each.name);
    return names;
}

}  // namespace postbus::server
