#include <charconv>

#include "formats/xml/chars.hpp"
#include "formats/xsd/reader/resolver.hpp"

namespace postbus::xsd {
namespace {

Result<std::uint32_t> occurrences(const Component& at, std::string_view name) {
    const std::string_view text = trimmed(attributeOf(at.node, name));
    if (text.empty()) return std::uint32_t{1};
    if (text == "unbounded" && name == "maxOccurs") return unbounded;
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (end != text.data() + text.size()) return problemAt(at, std::string(name).append(" is no number"));
    // A number that is too large is as good as none.
    return error == std::errc::result_out_of_range ? unbounded : count;
}

std::string documentation(Element node) {
    const Element annotation = node.child(schemaNamespace, "annotation");
    const Element text = annotation ? annotation.child(schemaNamespace, "documentation") : Element{};
    return text ? std::string(trimmed(text.text())) : std::string();
}

}  // namespace

Result<Particle> Resolver::particle(const Component& at) {
    const Depth depth(*this);
    if (!depth) return Depth::error(at);
    if (++parts_ > mostParts) return tooMany(at);
    Particle its;
    auto min = occurrences(at, "minOccurs"), max = occurrences(at, "maxOccurs");
    if (!min) return std::move(min).error();
    if (!max) return std::move(max).error();
    its.min = *min;
    its.max = *max;
    if (isSchemaElement(at.node, "element") || isSchemaElement(at.node, "group")) return referenced(at, its);
    if (isSchemaElement(at.node, "any")) {
        its.kind = Particle::Kind::Wildcard;
        return its;
    }
    its.kind = isSchemaElement(at.node, "choice") ? Particle::Kind::Choice
               : isSchemaElement(at.node, "all")  ? Particle::Kind::All
                                                  : Particle::Kind::Sequence;
    for (Element each = at.node.firstChild(); each; each = each.next()) {
        if (isSchemaElement(each, "annotation") || each.uri() != schemaNamespace) continue;
        auto part = particle({each, at.document});
        if (!part) return part;
        its.parts.push_back(*std::move(part));
    }
    return its;
}

/// An element or a group: what it is, as often as `occurs` says.
Result<Particle> Resolver::referenced(const Component& at, const Particle& occurs) {
    auto found = isSchemaElement(at.node, "element") ? elementParticle(at) : groupParticle(at);
    if (!found) return found;
    found->min = occurs.min;
    found->max = occurs.max;
    return found;
}

Result<Particle> Resolver::groupParticle(const Component& at) {
    auto name = nameAt(at, attributeOf(at.node, "ref"));
    if (!name) return std::move(name).error();
    const Component* group = components.find(Components::Kind::Group, *name);
    if (!group) return unknown(at, "group", *name);
    Particle its;
    for (Element each = group->node.firstChild(); each; each = each.next()) {
        if (isSchemaElement(each, "annotation")) continue;
        auto part = particle({each, group->document});
        if (!part) return part;
        its.parts.push_back(*std::move(part));
    }
    return its;
}

Result<Particle> Resolver::elementParticle(const Component& at) {
    Particle its;
    its.kind = Particle::Kind::Element;
    const std::string_view ref = attributeOf(at.node, "ref");
    if (ref.empty()) {
        auto declared = localElement(at);
        if (!declared) return std::move(declared).error();
        its.element = *declared;
        return its;
    }
    auto name = nameAt(at, ref);
    if (!name) return std::move(name).error();
    const Component* component = components.find(Components::Kind::Element, *name);
    if (!component) return unknown(at, "element", *name);
    auto head = global(*name, *component);
    if (!head) return std::move(head).error();
    its.element = *head;
    const std::vector<Name> others = components.substitutes(*name);
    if (others.empty()) return its;

    Particle choice;
    choice.kind = Particle::Kind::Choice;
    if (!(*head)->abstract) choice.parts.push_back(its);
    for (const Name& each : others) {
        auto member = global(each, *components.find(Components::Kind::Element, each));
        if (!member) return std::move(member).error();
        if ((*member)->abstract) continue;
        if (++parts_ > mostParts) return tooMany(at);
        its.element = *member;
        choice.parts.push_back(its);
    }
    return choice;
}

Result<const ElementDeclaration*> Resolver::localElement(const Component& at) {
    const std::string_view local = attributeOf(at.node, "name");
    if (!xml::isNcName(local)) return problemAt(at, "an element with neither ref nor a name that can be one");
    const std::string_view form = attributeOf(at.node, "form");
    const bool qualified = form.empty() ? at.document->qualifiedElements : form == "qualified";
    ElementDeclaration declaration;
    declaration.name = {qualified ? at.document->ns : std::string(), std::string(local)};
    if (auto described = describe(declaration, at); !described) return std::move(described).error();
    return &elements_.emplace_back(std::move(declaration));
}

Result<const ElementDeclaration*> Resolver::global(const Name& name, const Component& component) {
    if (const auto at = globals_.find(name); at != globals_.end()) return at->second;
    ElementDeclaration declaration;
    declaration.name = name;
    if (auto described = describe(declaration, component); !described) return std::move(described).error();
    const ElementDeclaration* its = &elements_.emplace_back(std::move(declaration));
    globals_.emplace(name, its);
    return its;
}

Result<void> Resolver::describe(ElementDeclaration& declaration, const Component& at) {
    declaration.nillable = isTrue(at.node, "nillable");
    declaration.abstract = isTrue(at.node, "abstract");
    declaration.doc = documentation(at.node);
    for (const char* each : {"default", "fixed"})
        if (const auto value = at.node.attribute("", each)) declaration.value = *value;
    if (const std::string_view name = attributeOf(at.node, "type"); !name.empty()) {
        auto type = typeNamed(at, name);
        if (!type) return std::move(type).error();
        declaration.type = *type;
        return ok();
    }
    for (const char* each : {"complexType", "simpleType"}) {
        if (const Element inner = at.node.child(schemaNamespace, each)) {
            declaration.type = anonymous({inner, at.document});
            return ok();
        }
    }
    // Without a type of its own: that of the head of its substitution group, or any.
    if (const std::string_view head = attributeOf(at.node, "substitutionGroup"); !head.empty()) {
        auto name = nameAt(at, head);
        if (!name) return std::move(name).error();
        const Component* component = components.find(Components::Kind::Element, *name);
        const Depth depth(*this);
        if (!component || !depth) return component ? Depth::error(at) : unknown(at, "element", *name);
        auto its = global(*name, *component);
        if (!its) return std::move(its).error();
        declaration.type = (*its)->type;
        return ok();
    }
    declaration.type = builtin("anyType");
    return ok();
}

}  // namespace postbus::xsd
