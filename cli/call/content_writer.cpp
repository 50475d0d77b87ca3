#include "cli/call/content_writer.hpp"

#include <algorithm>

#include "cli/call/supply.hpp"

namespace postbus::cli {
namespace {

constexpr std::size_t mostElements = 200'000;
constexpr std::size_t mostMissing = 20;     // told
constexpr std::size_t enoughMissing = 500;  // to look no further
constexpr std::size_t deepest = 100;

}  // namespace

Result<std::string> ContentWriter::write(const Given& root) {
    Buffer out;
    writer_.begin(out);
    for (const auto& each : root.parts) element(*each->element, each.get());
    if (!problem_.empty()) return Error::invalid(problem_);
    if (!missing_.empty()) return missingError();
    if (auto finished = writer_.finish(); !finished) return std::move(finished).error();
    return std::string(out.view());
}

Error ContentWriter::missingError() const {
    std::string text = "required and missing: ";
    for (std::size_t i = 0; i < std::min(missing_.size(), mostMissing); ++i) (text += i ? ", " : "") += missing_[i];
    if (missing_.size() > mostMissing) text += ", and " + std::to_string(missing_.size() - mostMissing) + " more";
    return Error::invalid(text);
}

std::string ContentWriter::path(const std::string& last) const {
    std::string all;
    for (std::size_t i = 1; i < path_.size(); ++i) all += path_[i] + '.';
    return all + last;
}

void ContentWriter::miss(const std::string& what) { missing_.push_back(what); }

void ContentWriter::fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
}

void ContentWriter::element(const xsd::ElementDeclaration& declaration, const Given* given) {
    if (!problem_.empty() || missing_.size() > enoughMissing) return;
    const xsd::Type& type = given ? *given->type : *declaration.type;
    if (!type.problem.empty()) return fail(type.problem);
    if (path_.size() > deepest) return fail(path("") + ": the schema requires an element inside of itself without end");
    if (++written_ > mostElements) return fail("more than " + std::to_string(mostElements) + " elements are required");
    const bool nil = given ? given->nil : declaration.nillable && !declaration.value;
    if (type.abstract && !nil) return miss(path(declaration.name.local) + ".@xsi:type");

    writer_.start(declaration.name.uri, declaration.name.local, declaration.name.uri.empty() ? "" : "tns");
    if (given && given->type != declaration.type) writeType(type);
    // A place in the path that keys name: the only element of a request is not named.
    path_.push_back(declaration.name.local);
    attributes(type, given);
    if (nil)
        writer_.attribute(xsd::instanceNamespace, "nil", "xsi", "true");
    else
        content(declaration, type, given);
    path_.pop_back();
    writer_.end();
}

void ContentWriter::writeType(const xsd::Type& type) {
    if (!type.name.uri.empty()) writer_.declare("xt", type.name.uri);
    const std::string name = type.name.uri.empty() ? type.name.local : "xt:" + type.name.local;
    writer_.attribute(xsd::instanceNamespace, "type", "xsi", name);
}

void ContentWriter::attributes(const xsd::Type& type, const Given* given) {
    for (const xsd::AttributeDeclaration& each : type.attributes) {
        const std::string* value = each.required && each.value ? &*each.value : nullptr;
        if (given)
            for (const auto& [attribute, its] : given->attributes)
                if (attribute->name == each.name) value = &its;
        if (value)
            writer_.attribute(each.name.uri, each.name.local, "tns", *value);
        else if (each.required)
            miss(path('@' + each.name.local));
    }
}

void ContentWriter::content(const xsd::ElementDeclaration& declaration, const xsd::Type& type, const Given* given) {
    if (type.value) {
        if (given && given->value)
            writer_.text(*given->value);
        else if (declaration.value)
            writer_.text(*declaration.value);
        else
            missValue();
        return;
    }
    static const Given nothing;
    const Given& from = given ? *given : nothing;
    Supply supply(from);
    group(type.content, supply);
    const Given* const surplus = supply.surplus();
    if (!surplus || !problem_.empty()) return;
    const std::string what = path(surplus->element->name.local);
    bool alternative = false;
    for (const xsd::Child& each : from.children)
        if (each.element->name == surplus->element->name) alternative = each.alternative;
    fail("there is no room for '" + what + "' beside what else is given" +
         (alternative ? ": the schema has a choice there" : ": it occurs too often"));
}

/// The element that is open has no value. A request of one element is not named by its keys.
void ContentWriter::missValue() {
    const std::string own = path_.back();
    path_.pop_back();
    miss(path(own));
    path_.push_back(own);
}

void ContentWriter::group(const xsd::Particle& particle, Supply& supply) {
    if (particle.kind == xsd::Particle::Kind::Element) return occurrences(particle, supply);
    for (std::uint32_t round = 0; round < particle.max && problem_.empty(); ++round) {
        const std::size_t before = supply.next(particle);
        if (before == SIZE_MAX && round >= particle.min) return;
        if (particle.kind == xsd::Particle::Kind::Choice)
            choice(particle, supply);
        else
            for (const xsd::Particle& each : particle.parts) group(each, supply);
        // One round more says all about what is missing; and what there is no room for in here stays.
        const bool idle = before == SIZE_MAX ? round > 0 : supply.next(particle) == before;
        if (idle) return;
    }
}

void ContentWriter::choice(const xsd::Particle& particle, Supply& supply) {
    if (particle.parts.empty()) return;
    // The one that comes next; of several that begin alike the one that has room for most.
    const auto comesBefore = [&](const xsd::Particle& a, const xsd::Particle& b) {
        const std::size_t ofA = supply.next(a), ofB = supply.next(b);
        return ofA != ofB ? ofA < ofB : supply.covered(a) > supply.covered(b);
    };
    const auto first = std::min_element(particle.parts.begin(), particle.parts.end(), comesBefore);
    if (supply.next(*first) != SIZE_MAX) return group(*first, supply);
    if (std::any_of(particle.parts.begin(), particle.parts.end(), mayBeEmpty)) return;
    if (particle.parts.size() == 1) return group(particle.parts.front(), supply);
    xsd::Type alternatives;
    alternatives.content = particle;
    std::string names;
    for (const xsd::Child& each : xsd::childrenOf(alternatives))
        (names += names.empty() ? "" : " or ") += path(each.element->name.local);
    miss(names);
}

void ContentWriter::occurrences(const xsd::Particle& particle, Supply& supply) {
    const xsd::ElementDeclaration& element = *particle.element;
    std::uint32_t count = 0;
    while (count < particle.max && supply.left(element)) {
        this->element(element, supply.take(element));
        ++count;
    }
    // Of what is required several times and not given, one tells enough.
    for (; count < std::min(particle.min, particle.max) && problem_.empty(); ++count) {
        const std::size_t before = missing_.size();
        this->element(element, nullptr);
        if (missing_.size() > before) return;
    }
}

bool ContentWriter::mayBeEmpty(const xsd::Particle& particle) {
    using Kind = xsd::Particle::Kind;
    if (particle.min == 0 || particle.max == 0 || particle.kind == Kind::Wildcard) return true;
    if (particle.kind == Kind::Element) return false;
    if (particle.kind == Kind::Choice)
        return particle.parts.empty() || std::any_of(particle.parts.begin(), particle.parts.end(), mayBeEmpty);
    return std::all_of(particle.parts.begin(), particle.parts.end(), mayBeEmpty);
}

Result<std::string> writePayload(const Given& root) {
    return ContentWriter(root.parts.size() == 1 && root.parts.front()->name.empty()).write(root);
}

}  // namespace postbus::cli
