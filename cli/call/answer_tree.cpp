#include "cli/call/answer_tree.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace postbus::cli {
namespace {

using Kind = AnswerNode::Kind;

AnswerNode scalar(std::string_view text, const xsd::Builtin* type) {
    AnswerNode node;
    node.text = text;
    if (!type) return node;
    const std::string_view value = xsd::trimmed(text);
    switch (type->kind) {
        case xsd::Kind::Boolean:
            if (!xsd::booleanOf(value)) break;
            node.kind = Kind::Boolean;
            node.text = *xsd::booleanOf(value) ? "true" : "false";
            break;
        case xsd::Kind::Integer:
        case xsd::Kind::Decimal:
        case xsd::Kind::Float:
            if (xsd::jsonNumber(value).empty()) break;
            node.kind = Kind::Number;
            node.text = value;
            break;
        case xsd::Kind::Text:
        case xsd::Kind::Any:
            break;
        default:
            node.text = value;  // dates and bytes: white space around them means nothing
    }
    return node;
}

AnswerNode simple(std::string_view text, const xsd::Type* type) {
    if (!type || !type->list) return scalar(text, type ? type->value : nullptr);
    AnswerNode list;
    list.kind = Kind::List;
    constexpr std::string_view space = " \t\r\n";
    for (std::size_t at = text.find_first_not_of(space); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(space, at), text.size());
        list.items.push_back(scalar(text.substr(at, end - at), type->value));
        at = text.find_first_not_of(space, end);
    }
    return list;
}

template <class Visit>
void forEachAttribute(Element element, Visit&& visit) {
    const postbus_tape& tape = *element.tape();
    for (std::uint32_t i = element.index() + 1; i < element.node().next; ++i) {
        const postbus_node& node = tape.nodes[i];
        if (node.kind == POSTBUS_NODE_NAMESPACE) continue;
        if (node.kind != POSTBUS_NODE_ATTRIBUTE) break;
        const postbus_name& name = tape.names[node.name];
        const std::string_view uri(tape.text + name.uri, name.uri_length);
        const std::string_view local(tape.text + name.local, name.local_length);
        if (uri != xsd::instanceNamespace) visit(uri, local, std::string_view(tape.text + node.text, node.length));
    }
}

class TreeReader {
public:
    explicit TreeReader(xsd::SchemaSet& schemas) : schemas_(schemas) {}

    AnswerNode read(Element element, const xsd::Type* type) {
        const auto nil = element.attribute(xsd::instanceNamespace, "nil");
        if (nil && xsd::booleanOf(*nil).value_or(false)) {
            AnswerNode node;
            node.kind = Kind::Nil;
            return node;
        }
        type = actual(element, type);
        const bool any = !type || (type->value && type->value->kind == xsd::Kind::Any);
        if (!any && type->value) return value(element, *type);
        if (any && !element.firstChild()) return untyped(element);
        return object(element, any ? nullptr : type);
    }

private:
    /// The type that the element says it has, where that is one.
    const xsd::Type* actual(Element element, const xsd::Type* type) {
        if (type && !type->problem.empty()) type = nullptr;
        const auto named = element.attribute(xsd::instanceNamespace, "type");
        if (!named) return type;
        const std::string_view text = xsd::trimmed(*named);
        const std::size_t colon = text.find(':');
        const auto uri = element.lookup(colon == std::string_view::npos ? "" : text.substr(0, colon));
        const std::string local(colon == std::string_view::npos ? text : text.substr(colon + 1));
        const auto found = schemas_.type({std::string(uri.value_or("")), local});
        return found && (*found)->problem.empty() ? *found : type;
    }

    AnswerNode value(Element element, const xsd::Type& type) {
        AnswerNode content = simple(element.text(), &type);
        if (type.attributes.empty()) return content;
        AnswerNode node;
        node.kind = Kind::Object;
        attributes(element, &type, node);
        node.members.push_back({"#text", false, {std::move(content)}});
        return node;
    }

    AnswerNode untyped(Element element) {
        AnswerNode node;
        attributes(element, nullptr, node);
        AnswerNode text = scalar(element.text(), nullptr);
        if (node.members.empty()) return text;
        node.kind = Kind::Object;
        node.members.push_back({"#text", false, {std::move(text)}});
        return node;
    }

    static void attributes(Element element, const xsd::Type* type, AnswerNode& into) {
        forEachAttribute(element, [&](std::string_view, std::string_view local, std::string_view text) {
            const xsd::AttributeDeclaration* its = type ? type->attribute(local) : nullptr;
            into.members.push_back({'@' + std::string(local), false, {simple(text, its ? its->type : nullptr)}});
        });
    }

    AnswerNode object(Element element, const xsd::Type* type) {
        AnswerNode node;
        node.kind = Kind::Object;
        attributes(element, type, node);
        const std::vector<xsd::Child>& children = childrenOf(type);
        std::set<std::string, std::less<>> used;  // two namespaces may have the same local name
        std::map<xsd::Name, std::size_t> places;  // in node.members
        for (Element each = element.firstChild(); each; each = each.next()) {
            const xsd::Child* child = find(children, each);
            xsd::Name name{std::string(each.uri()), std::string(each.local())};
            const auto [place, isNew] = places.emplace(name, node.members.size());
            if (isNew) {
                const bool plain = used.insert(name.local).second;
                node.members.push_back({plain ? name.local : name.text(), child && child->repeated, {}});
            }
            AnswerNode::Member& member = node.members[place->second];
            member.values.push_back(read(each, child ? child->element->type : nullptr));
            member.repeated = member.repeated || member.values.size() > 1;
        }
        for (const xsd::Child& each : children)
            if (each.repeated && !each.alternative && !places.contains(each.element->name))
                node.members.push_back({each.element->name.local, true, {}});
        if (type && type->mixed) mixed(element, node);
        return node;
    }

    const std::vector<xsd::Child>& childrenOf(const xsd::Type* type) {
        const auto [at, isNew] = children_.try_emplace(type);
        if (isNew && type) at->second = xsd::childrenOf(*type);
        return at->second;
    }

    static void mixed(Element element, AnswerNode& into) {
        if (into.members.empty() || !element.firstChild()) {
            if (const std::string text = element.text(); !xsd::trimmed(text).empty())
                into.members.push_back({"#text", false, {scalar(text, nullptr)}});
        }
    }

    static const xsd::Child* find(const std::vector<xsd::Child>& children, Element element) {
        const auto at = std::find_if(children.begin(), children.end(), [&](const xsd::Child& each) {
            return element.is(each.element->name.uri, each.element->name.local);
        });
        return at == children.end() ? nullptr : &*at;
    }

    xsd::SchemaSet& schemas_;
    std::map<const xsd::Type*, std::vector<xsd::Child>> children_;  // of the types that were met
};

}  // namespace

AnswerNode readNode(Element element, const xsd::Type* type, xsd::SchemaSet& schemas) {
    return TreeReader(schemas).read(element, type);
}

}  // namespace postbus::cli
