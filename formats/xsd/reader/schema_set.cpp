#include "formats/xsd/reader/schema_set.hpp"

#include <algorithm>

#include "formats/xsd/reader/resolver.hpp"

namespace postbus::xsd {

SchemaSet::SchemaSet() : resolver_(std::make_unique<Resolver>()) {}
SchemaSet::SchemaSet(SchemaSet&&) noexcept = default;
SchemaSet& SchemaSet::operator=(SchemaSet&&) noexcept = default;
SchemaSet::~SchemaSet() = default;

Result<void> SchemaSet::add(Element schema, std::string location, std::string_view includedInto) {
    return resolver_->components.add(schema, std::move(location), includedInto);
}

void SchemaSet::missing(std::string_view note) { resolver_->notes.append("; ").append(note); }

Result<const ElementDeclaration*> SchemaSet::element(const Name& name) {
    auto found = resolver_->element(name);
    resolver_->drain();
    return found;
}

Result<const Type*> SchemaSet::type(const Name& name) {
    auto found = resolver_->type(name);
    resolver_->drain();
    return found;
}

const Type* SchemaSet::derived(const Type& base, std::string_view local) {
    for (const auto& [name, component] : resolver_->components.types()) {
        if (name.local != local) continue;
        const auto found = type(name);
        if (found && (*found)->derivesFrom(base)) return *found;
    }
    return nullptr;
}

std::vector<std::string> SchemaSet::derivedNames(const Type& base) {
    std::vector<std::string> names;
    for (const auto& [name, component] : resolver_->components.types()) {
        const auto found = type(name);
        if (found && *found != &base && (*found)->derivesFrom(base)) names.push_back(name.local);
    }
    return names;
}

// ---- Resolver, in general

Error Resolver::unknown(const Component& at, std::string_view what, const Name& name) const {
    return problemAt(at, "no schema declares the " + std::string(what) + ' ' + name.text() + notes);
}

Result<const ElementDeclaration*> Resolver::element(const Name& name) {
    const Component* component = components.find(Components::Kind::Element, name);
    if (!component) return Error(Error::Kind::NotFound, "no schema declares the element " + name.text() + notes);
    return global(name, *component);
}

Result<const Type*> Resolver::type(const Name& name) {
    if (name.uri == schemaNamespace) {
        if (const Type* found = builtin(name.local)) return found;
    } else if (const Component* component = components.find(Components::Kind::Type, name)) {
        return typeOf(name, *component);
    }
    return Error(Error::Kind::NotFound, "no schema declares the type " + name.text() + notes);
}

void Resolver::drain() {
    while (!open_.empty()) {
        Slot& next = *open_.back();
        open_.pop_back();
        fill(next);
    }
}

}  // namespace postbus::xsd
