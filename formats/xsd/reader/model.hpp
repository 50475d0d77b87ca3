#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/xsd/reader/builtin.hpp"
#include "formats/xsd/reader/name.hpp"

/// What a schema says, resolved: no references, no prefixes, extensions put together. Made by SchemaSet, which owns all
/// of it; what points to another part is never null unless it says so.
namespace postbus::xsd {

struct Type;

inline constexpr std::uint32_t unbounded = UINT32_MAX;

struct AttributeDeclaration {
    Name name;
    const Type* type = nullptr;
    bool required = false;
    std::optional<std::string> value;  ///< the fixed or default one
};

struct ElementDeclaration {
    Name name;
    const Type* type = nullptr;
    bool nillable = false;
    bool abstract = false;
    std::optional<std::string> value;  ///< the fixed or default one
    std::string doc;
};

/// A part of a content model: an element, or a group of parts.
struct Particle {
    enum class Kind : std::uint8_t { Element, Sequence, Choice, All, Wildcard };

    Kind kind = Kind::Sequence;
    std::uint32_t min = 1, max = 1;               ///< max may be `unbounded`
    const ElementDeclaration* element = nullptr;  ///< of Kind::Element, else null
    std::vector<Particle> parts;                  ///< of a group
};

struct Type {
    Name name;                       ///< without a local name: anonymous
    std::string problem;             ///< why it can't be used, with document and line; empty: it can
    bool complex = false;            ///< may have attributes and elements
    bool abstract = false;           ///< only types derived from it have values
    bool mixed = false;              ///< text may stand between the elements
    const Type* base = nullptr;      ///< what it extends or restricts; null where there is nothing of interest
    const Builtin* value = nullptr;  ///< of its text; null: it has elements, or nothing
    bool list = false;               ///< the text is a list of values
    std::vector<std::string> enumeration;
    std::vector<AttributeDeclaration> attributes;
    Particle content;  ///< a sequence; empty where there are no elements

    const AttributeDeclaration* attribute(std::string_view local) const;
    bool derivesFrom(const Type& other) const;
};

/// An element that may stand directly inside of a type's content, wherever in its groups.
struct Child {
    const ElementDeclaration* element = nullptr;
    bool repeated = false;     ///< may stand there more than once
    bool required = false;     ///< nothing is complete without it
    bool alternative = false;  ///< stands inside of a choice
};

/// The children of a type, each name once, in the order of the schema.
std::vector<Child> childrenOf(const Type& type);
/// Whether the content has a place for elements that the schema does not name.
bool hasWildcard(const Particle& particle);

}  // namespace postbus::xsd
