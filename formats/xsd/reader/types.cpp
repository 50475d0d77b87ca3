#include "formats/xsd/reader/resolver.hpp"

namespace postbus::xsd {
namespace {

/// The first child that says what a type is made of: nothing of annotations.
Element definitionIn(Element node) {
    for (Element each = node.firstChild(); each; each = each.next())
        if (!isSchemaElement(each, "annotation")) return each;
    return {};
}

std::size_t partsOf(const Particle& particle) {
    std::size_t count = 1;
    for (const Particle& each : particle.parts) count += partsOf(each);
    return count;
}

bool isParticle(Element node) {
    for (const std::string_view each : {"sequence", "choice", "all", "group"})
        if (isSchemaElement(node, each)) return true;
    return false;
}

}  // namespace

const Type* Resolver::builtin(std::string_view name) {
    if (const auto at = builtinByName_.find(name); at != builtinByName_.end()) return at->second;
    const Builtin* found = findBuiltin(name);
    if (!found) return nullptr;
    Type& type = builtins_.emplace_back();
    type.name = {std::string(schemaNamespace), std::string(name)};
    type.value = found;
    type.list = found->list;
    builtinByName_.emplace(name, &type);
    return &type;
}

const Type* Resolver::typeOf(const Name& name, const Component& component) {
    if (const auto at = named_.find(name); at != named_.end()) return &at->second->type;
    Slot& slot = slots_.emplace_back();
    slot.component = component;
    slot.type.name = name;
    named_.emplace(name, &slot);
    open_.push_back(&slot);
    return &slot.type;
}

const Type* Resolver::anonymous(const Component& component) {
    const auto [at, isNew] = anonymous_.emplace(&component.node.node(), nullptr);
    if (!isNew) return &at->second->type;
    Slot& slot = slots_.emplace_back();
    slot.component = component;
    at->second = &slot;
    open_.push_back(&slot);
    return &slot.type;
}

Result<const Type*> Resolver::typeNamed(const Component& at, std::string_view name) {
    auto full = nameAt(at, name);
    if (!full) return std::move(full).error();
    if (full->uri == schemaNamespace) {
        if (const Type* found = builtin(full->local)) return found;
    } else if (const Component* component = components.find(Components::Kind::Type, *full)) {
        return typeOf(*full, *component);
    }
    return unknown(at, "type", *full);
}

Result<const Type*> Resolver::filled(const Component& at, std::string_view name) {
    auto found = typeNamed(at, name);
    if (!found) return found;
    const auto slot = named_.find((*found)->name);
    if (slot != named_.end()) {
        if (slot->second->state == Slot::State::Filling) return Depth::error(at);
        fill(*slot->second);
    }
    if (!(*found)->problem.empty()) return Error::invalid((*found)->problem);
    return found;
}

void Resolver::fill(Slot& slot) {
    if (slot.state != Slot::State::Open) return;
    slot.state = Slot::State::Filling;
    const Depth depth(*this);
    const Result<void> done = depth ? read(slot.type, slot.component) : Depth::error(slot.component);
    slot.state = Slot::State::Done;
    if (done) return;
    slot.type.problem = done.error().message();
    slot.type.content = {};
    slot.type.attributes.clear();
}

Result<void> Resolver::read(Type& type, const Component& at) {
    return isSchemaElement(at.node, "simpleType") ? readSimple(type, at) : readComplex(type, at);
}

Result<void> Resolver::readComplex(Type& type, const Component& at) {
    type.complex = true;
    type.abstract = isTrue(at.node, "abstract");
    type.mixed = isTrue(at.node, "mixed");
    const Component inner{definitionIn(at.node), at.document};
    if (!inner.node) return ok();
    const bool simple = isSchemaElement(inner.node, "simpleContent");
    if (!simple && !isSchemaElement(inner.node, "complexContent")) return readContent(type, at);

    type.mixed = type.mixed || isTrue(inner.node, "mixed");
    const Component derivation{definitionIn(inner.node), at.document};
    if (!derivation.node ||
        (!isSchemaElement(derivation.node, "extension") && !isSchemaElement(derivation.node, "restriction")))
        return problemAt(inner, "neither an extension nor a restriction");
    return readDerived(type, derivation);
}

Result<void> Resolver::readDerived(Type& type, const Component& at) {
    const std::string_view name = attributeOf(at.node, "base");
    if (name.empty()) return problemAt(at, "derived from nothing: there is no base");
    auto found = filled(at, name);
    if (!found) return std::move(found).error();
    const Type& base = **found;
    type.base = &base;
    type.attributes = base.attributes;
    const bool any = base.value && base.value->name == "anyType";  // has nothing to be kept
    if (!any) {
        type.value = base.value;
        type.list = base.list;
        type.enumeration = base.enumeration;
    }
    // Every copy counts: extensions of extensions would else grow without bound.
    const bool extends = isSchemaElement(at.node, "extension");
    parts_ += type.attributes.size() + type.enumeration.size() + (extends ? partsOf(base.content) : 0);
    if (parts_ > mostParts) return tooMany(at);
    if (extends && !base.content.parts.empty()) {
        type.content.parts.push_back(base.content);
        type.mixed = type.mixed || base.mixed;
    }
    if (type.value) return readAttributes(type, at);
    return readContent(type, at);
}

Result<void> Resolver::readContent(Type& type, const Component& at) {
    for (Element each = at.node.firstChild(); each; each = each.next()) {
        if (!isParticle(each)) continue;
        auto content = particle({each, at.document});
        if (!content) return std::move(content).error();
        type.content.parts.push_back(*std::move(content));
        break;
    }
    return readAttributes(type, at);
}

}  // namespace postbus::xsd
