#include "cli/call/given.hpp"

#include <algorithm>

#include "cli/call/value.hpp"
#include "config/suggest.hpp"

namespace postbus::cli {
namespace {

constexpr std::size_t nowhere = SIZE_MAX;

const xsd::Child* childNamed(const Given& at, std::string_view local) {
    const auto found = std::find_if(at.children.begin(), at.children.end(),
                                    [&](const xsd::Child& each) { return each.element->name.local == local; });
    return found == at.children.end() ? nullptr : &*found;
}

std::unique_ptr<Given> given(const xsd::ElementDeclaration& element, const std::string& holder) {
    auto its = std::make_unique<Given>();
    its->element = &element;
    its->type = element.type;
    its->children = xsd::childrenOf(*element.type);
    its->name = holder.empty() ? element.name.local : holder + '.' + element.name.local;
    return its;
}

}  // namespace

GivenTree::GivenTree(xsd::SchemaSet& schemas, std::vector<const xsd::ElementDeclaration*> elements,
                     std::string operation)
    : schemas_(schemas), operation_(std::move(operation)) {
    within_ = elements.size() == 1 && !elements.front()->type->value;
    for (const auto* each : elements) {
        root_.children.push_back({each, false, true, false});
        if (!within_) continue;
        root_.parts.push_back(given(*each, ""));
        root_.parts.back()->name.clear();  // keys do not name it, nor do messages
    }
}

Given& GivenTree::base() { return within_ ? *root_.parts.front() : root_; }

Result<void> GivenTree::set(const std::vector<std::string>& arguments) {
    std::vector<Key> keys;
    for (const std::string& each : arguments) {
        const std::size_t equals = each.find('=');
        auto steps = parsePath(std::string_view(each).substr(0, equals));
        if (!steps) return std::move(steps).error();
        keys.push_back({each.substr(0, equals), each.substr(equals + 1), *std::move(steps)});
    }
    for (const Key& each : keys)
        if (auto applied = apply(each); !applied) return applied;
    if (within_) return ok();
    std::vector<std::unique_ptr<Given>> ordered;
    for (const xsd::Child& each : root_.children) {
        const auto there = std::find_if(root_.parts.begin(), root_.parts.end(),
                                        [&](const auto& part) { return part && part->element == each.element; });
        ordered.push_back(there == root_.parts.end() ? given(*each.element, "") : std::move(*there));
    }
    root_.parts = std::move(ordered);
    return ok();
}

Result<void> GivenTree::apply(const Key& key) {
    const std::size_t elements = key.steps.size() - (key.steps.back().attribute ? 1 : 0);
    auto at = walk(key, elements, nowhere);
    if (!at) return std::move(at).error();
    if (!taken(**at, key)) return assign(**at, key);

    // The nearest element on the way that may stand there once more.
    Given* holder = &base();
    std::size_t begin = nowhere;
    for (std::size_t i = 0; i < elements; ++i) {
        const xsd::Child* child = childNamed(*holder, key.steps[i].name);
        if (child->repeated && !key.steps[i].index) begin = i;
        auto next = step(*holder, key.steps[i], false);
        if (!next) return std::move(next).error();
        holder = *next;
    }
    if (begin == nowhere) return Error::invalid("'" + key.text + "' is given twice, and there is room for one");
    at = walk(key, elements, begin);
    return at ? assign(**at, key) : Result<void>(std::move(at).error());
}

/// Follows the steps that are elements, making what is not there; `begin`: the step that begins another occurrence.
Result<Given*> GivenTree::walk(const Key& key, std::size_t elements, std::size_t begin) {
    Given* at = &base();
    for (std::size_t i = 0; i < elements; ++i) {
        auto next = step(*at, key.steps[i], i == begin);
        if (!next) return next;
        at = *next;
    }
    return at;
}

Result<Given*> GivenTree::step(Given& at, const Step& step, bool begin) {
    const xsd::Child* child = childNamed(at, step.name);
    if (!child) return unknown(at, step);
    Given* last = nullptr;
    std::uint32_t count = 0;
    for (const auto& each : at.parts) {
        if (each->element->name != child->element->name) continue;
        last = each.get();
        if (step.index && count == *step.index) return last;
        ++count;
    }
    if (step.index && !child->repeated && *step.index > 0)
        return Error::invalid("'" + step.name + "' occurs once at most: [" + std::to_string(*step.index) + "] is none");
    if (step.index && *step.index > count)
        return Error::invalid("'" + step.name + "[" + std::to_string(*step.index) + "]' is given before [" +
                              std::to_string(count) + "]");
    if (last && !begin && !step.index) return last;
    at.parts.push_back(given(*child->element, at.name));
    return at.parts.back().get();
}

bool GivenTree::taken(const Given& at, const Key& key) const {
    if (!key.steps.back().attribute) return at.value.has_value();
    const std::string& name = key.steps.back().name;
    if (name == "xsi:nil") return at.nil;
    if (name == "xsi:type") return at.type != at.element->type;
    return std::any_of(at.attributes.begin(), at.attributes.end(),
                       [&](const auto& each) { return each.first->name.local == name; });
}

Result<void> GivenTree::assign(Given& at, const Key& key) {
    if (!at.type->problem.empty()) return Error::invalid(key.text + ": " + at.type->problem);
    if (key.steps.back().attribute) return assignAttribute(at, key);
    if (!at.type->value && !key.value.empty()) {
        std::vector<std::string_view> names;
        for (const xsd::Child& each : at.children) names.push_back(each.element->name.local);
        return Error::invalid("'" + key.text + "' is no value" +
                              (names.empty() ? ", it is empty" : "; it is made of: " + config::listed(names)));
    }
    if (!at.type->value) {  // KEY= : the element is to be there
        at.value.emplace();
        return ok();
    }
    auto value = valueOf(key.value, *at.type);
    if (!value) return std::move(value).error().in(key.text);
    at.value = *std::move(value);
    return ok();
}

Result<void> GivenTree::assignAttribute(Given& at, const Key& key) {
    const std::string& name = key.steps.back().name;
    if (!at.element) return Error::invalid("'" + key.text + "': name the element that has the attribute");
    if (name == "xsi:type") return retype(at, key.value);
    if (name == "xsi:nil") {
        const auto nil = xsd::booleanOf(key.value);
        if (!nil) return Error::invalid(key.text + ": expected true or false, got '" + key.value + "'");
        if (*nil && !at.element->nillable) return Error::invalid(key.text + ": the element is not nillable");
        at.nil = *nil;
        return ok();
    }
    const xsd::AttributeDeclaration* attribute = at.type->attribute(name);
    if (!attribute) return unknown(at, key.steps.back());
    auto value = valueOf(key.value, *attribute->type);
    if (!value) return std::move(value).error().in(key.text);
    at.attributes.emplace_back(attribute, *std::move(value));
    return ok();
}

Result<void> GivenTree::retype(Given& at, const std::string& name) {
    const xsd::Type* derived = schemas_.derived(*at.element->type, name);
    if (!derived) {
        const std::vector<std::string> names = schemas_.derivedNames(*at.element->type);
        const std::vector<std::string_view> known(names.begin(), names.end());
        return Error::invalid("no type '" + name + "' may stand there" +
                              (known.empty() ? std::string() : config::remedy(name, known)));
    }
    if (!derived->problem.empty()) return Error::invalid(derived->problem);
    at.type = derived;
    at.children = xsd::childrenOf(*derived);
    return ok();
}

Error GivenTree::unknown(const Given& at, const Step& step) {
    if (at.type && !at.type->problem.empty()) return Error::invalid(at.type->problem);
    std::vector<std::string_view> known;
    if (step.attribute && at.type)
        for (const auto& each : at.type->attributes) known.emplace_back(each.name.local);
    else
        for (const xsd::Child& each : at.children) known.emplace_back(each.element->name.local);
    const std::string holder = at.name.empty() ? operation_ : at.name;
    const char* kind = step.attribute ? "attribute" : at.name.empty() ? "parameter" : "element";
    std::string text = holder + " has no " + kind + " '" + step.name + "'";
    text += known.empty() ? "; it has none at all" : config::remedy(step.name, known);
    const bool guessed = text.ends_with("?");
    if (at.type && !guessed && !at.type->value && !schemas_.derivedNames(*at.type).empty())
        text += " (a derived type is chosen before, with @xsi:type=NAME)";
    if (at.type && xsd::hasWildcard(at.type->content)) text += " (what the schema does not name goes with --xml)";
    return Error::invalid(text);
}

}  // namespace postbus::cli
