#include "formats/xsd/reader/model.hpp"

#include <algorithm>
#include <map>

namespace postbus::xsd {
namespace {

struct Place {
    bool repeated, required, alternative;
};

class Children {
public:
    std::vector<Child> take() && { return std::move(found_); }

    void visit(const Particle& particle, Place place) {
        place.repeated = place.repeated || particle.max > 1;
        place.required = place.required && particle.min > 0;
        if (particle.max == 0) return;
        if (particle.kind == Particle::Kind::Element) return add(*particle.element, place);
        if (particle.kind == Particle::Kind::Choice && particle.parts.size() > 1) {
            place.required = false;
            place.alternative = true;
        }
        for (const Particle& each : particle.parts) visit(each, place);
    }

private:
    void add(const ElementDeclaration& element, const Place& place) {
        const auto [at, isNew] = places_.emplace(&element.name, found_.size());
        if (isNew) return found_.push_back({&element, place.repeated, place.required, place.alternative});
        Child& known = found_[at->second];
        // Twice in a choice, it is still one; twice in a row, it repeats. The difference is of no use to a reader, who
        // has to take both.
        known.repeated = true;
        known.required = known.required || place.required;
    }

    struct ByName {
        bool operator()(const Name* a, const Name* b) const { return *a < *b; }
    };
    std::vector<Child> found_;
    std::map<const Name*, std::size_t, ByName> places_;
};

}  // namespace

const AttributeDeclaration* Type::attribute(std::string_view local) const {
    const auto at = std::find_if(attributes.begin(), attributes.end(),
                                 [&](const AttributeDeclaration& each) { return each.name.local == local; });
    return at == attributes.end() ? nullptr : &*at;
}

bool Type::derivesFrom(const Type& other) const {
    for (const Type* each = this; each; each = each->base)
        if (each == &other) return true;
    return false;
}

std::vector<Child> childrenOf(const Type& type) {
    Children children;
    children.visit(type.content, {false, true, false});
    return std::move(children).take();
}

bool hasWildcard(const Particle& particle) {
    return particle.kind == Particle::Kind::Wildcard ||
           std::any_of(particle.parts.begin(), particle.parts.end(), hasWildcard);
}

}  // namespace postbus::xsd
