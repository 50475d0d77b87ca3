#include "cli/call/supply.hpp"

#include <algorithm>
#include <cstdint>

namespace postbus::cli {

Supply::Supply(const Given& from) {
    for (const auto& each : from.parts) {
        Queue& its = of_[each->element->name];
        its.waiting.push_back({each.get(), order_++});
    }
}

std::size_t Supply::left(const xsd::ElementDeclaration& element) const {
    const auto at = of_.find(element.name);
    return at == of_.end() ? 0 : at->second.waiting.size() - at->second.used;
}

std::size_t Supply::next(const xsd::ElementDeclaration& element) const {
    if (!left(element)) return SIZE_MAX;
    const Queue& its = of_.at(element.name);
    return its.waiting[its.used].second;
}

const Given* Supply::take(const xsd::ElementDeclaration& element) {
    if (!left(element)) return nullptr;
    Queue& its = of_[element.name];
    return its.waiting[its.used++].first;
}

std::size_t Supply::next(const xsd::Particle& particle) const {
    if (particle.kind == xsd::Particle::Kind::Element) return next(*particle.element);
    std::size_t first = SIZE_MAX;
    for (const xsd::Particle& each : particle.parts) first = std::min(first, next(each));
    return first;
}

std::size_t Supply::covered(const xsd::Particle& particle) const {
    if (particle.kind == xsd::Particle::Kind::Element) return left(*particle.element) ? 1 : 0;
    std::size_t count = 0;
    for (const xsd::Particle& each : particle.parts) count += covered(each);
    return count;
}

const Given* Supply::surplus() const {
    for (const auto& [name, its] : of_)
        if (its.used < its.waiting.size()) return its.waiting[its.used].first;
    return nullptr;
}

}  // namespace postbus::cli
