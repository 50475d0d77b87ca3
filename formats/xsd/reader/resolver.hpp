#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "formats/xsd/reader/components.hpp"
#include "formats/xsd/reader/model.hpp"

namespace postbus::xsd {

/// Makes the model of the components: what SchemaSet is made of.
///
/// A type that is referred to gets its place at once and its content later, from a list of what is open, so that types
/// may refer to themselves. What a type is made of (its base, groups, anonymous types) is resolved on the spot;
/// `depth_` bounds that, and finds what is made of itself.
class Resolver {
public:
    Components components;
    std::string notes;  ///< of references that led nowhere

    Result<const ElementDeclaration*> element(const Name& name);
    Result<const Type*> type(const Name& name);
    /// Fills all types that were referred to.
    void drain();

private:
    struct Slot {
        Type type;
        Component component;
        enum class State { Open, Filling, Done } state = State::Open;
    };
    class Depth;

    Error unknown(const Component& at, std::string_view what, const Name& name) const;

    // Types: types.cpp
    Result<const Type*> typeNamed(const Component& at, std::string_view name);
    const Type* typeOf(const Name& name, const Component& component);
    const Type* builtin(std::string_view name);
    const Type* anonymous(const Component& component);
    Result<const Type*> filled(const Component& at, std::string_view name);
    void fill(Slot& slot);
    Result<void> read(Type& type, const Component& at);
    Result<void> readComplex(Type& type, const Component& at);
    Result<void> readDerived(Type& type, const Component& at);
    Result<void> readContent(Type& type, const Component& at);

    // Simple types: simple_types.cpp
    Result<void> readSimple(Type& type, const Component& at);
    Result<void> readRestriction(Type& type, const Component& at);
    Result<void> readList(Type& type, const Component& at);
    Result<const Type*> simpleBase(const Component& at, std::string_view attribute);

    // Content: particles.cpp
    Result<Particle> particle(const Component& at);
    Result<Particle> elementParticle(const Component& at);
    Result<Particle> groupParticle(const Component& at);
    Result<Particle> referenced(const Component& at, const Particle& occurs);
    Result<const ElementDeclaration*> localElement(const Component& at);
    Result<const ElementDeclaration*> global(const Name& name, const Component& component);
    Result<void> describe(ElementDeclaration& declaration, const Component& at);

    // Attributes: attributes.cpp
    Result<void> readAttributes(Type& type, const Component& at);
    Result<void> readAttribute(Type& type, const Component& at);
    Result<void> readAttributeGroup(Type& type, const Component& at);

    std::deque<Slot> slots_;
    std::map<Name, Slot*> named_;
    std::map<const postbus_node*, Slot*> anonymous_;
    std::deque<Type> builtins_;
    std::map<std::string, const Type*, std::less<>> builtinByName_;
    std::deque<ElementDeclaration> elements_;
    std::map<Name, const ElementDeclaration*> globals_;
    std::vector<Slot*> open_;
    std::size_t depth_ = 0, parts_ = 0;
};

/// Counts how deep the resolver is in while it lives; false when that is too deep.
class Resolver::Depth {
public:
    static constexpr std::size_t most = 200;

    explicit Depth(Resolver& resolver) : depth_(++resolver.depth_), resolver_(resolver) {}
    ~Depth() { --resolver_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    explicit operator bool() const { return depth_ <= most; }
    static Error error(const Component& at) {
        return problemAt(at, "made of itself, or of more than " + std::to_string(most) + " layers");
    }

private:
    std::size_t depth_;
    Resolver& resolver_;
};

/// Parts of all content models in a set, attributes and enumerators, copies of what is extended included.
inline constexpr std::size_t mostParts = 300'000;
inline Error tooMany(const Component& at) {
    return problemAt(at, "the schemas have more than " + std::to_string(mostParts) + " parts");
}

}  // namespace postbus::xsd
