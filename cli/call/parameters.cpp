#include "cli/call/parameters.hpp"

#include <algorithm>

namespace postbus::cli {
namespace {

constexpr std::size_t mostParameters = 300;
constexpr std::size_t mostElements = 5'000;  // looked at: not each of them is a parameter
constexpr std::size_t deepest = 40;

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& each : words) (all += all.empty() ? "" : ", ") += each;
    return all;
}

class Collector {
public:
    explicit Collector(xsd::SchemaSet& schemas) : schemas_(schemas) {}

    void element(const xsd::Child& child, const std::string& holder) {
        found_.cut = found_.cut || ++visited_ > mostElements || open_.size() > deepest;
        if (full()) return;
        const xsd::ElementDeclaration& declaration = *child.element;
        const xsd::Type& type = *declaration.type;
        Parameter its;
        its.key = holder.empty() ? declaration.name.local : holder + '.' + declaration.name.local;
        its.required = child.required && !declaration.value && !declaration.nillable;
        its.repeated = child.repeated;
        its.nillable = declaration.nillable;
        its.doc = declaration.doc;
        its.type = !type.problem.empty() ? "unknown: " + type.problem : typeText(type);
        its.values = type.enumeration;
        const bool within = std::find(open_.begin(), open_.end(), &type) != open_.end();
        const bool leaf = type.value || within || !type.problem.empty() ||
                          (type.content.parts.empty() && type.attributes.empty() && !type.abstract);
        if (within) its.type = "again, as above";
        const std::string key = its.key;
        if (leaf || child.repeated || !child.required || type.abstract) {
            if (!leaf) its.type = type.abstract ? "one of " + joined(schemas_.derivedNames(type)) : "";
            found_.all.push_back(std::move(its));
        }
        if (!within) content(type, key);
    }

    void content(const xsd::Type& type, const std::string& holder) {
        open_.push_back(&type);
        for (const xsd::AttributeDeclaration& each : type.attributes) {
            if (full()) break;
            Parameter its;
            its.key = holder.empty() ? '@' + each.name.local : holder + ".@" + each.name.local;
            its.type = typeText(*each.type);
            its.values = each.type->enumeration;
            its.required = each.required && !each.value;
            found_.all.push_back(std::move(its));
        }
        if (!type.value)
            for (const xsd::Child& each : xsd::childrenOf(type)) element(each, holder);
        open_.pop_back();
    }

    Parameters take() && { return std::move(found_); }

private:
    bool full() {
        found_.cut = found_.cut || found_.all.size() == mostParameters;
        return found_.cut;
    }

    xsd::SchemaSet& schemas_;
    std::vector<const xsd::Type*> open_;
    std::size_t visited_ = 0;
    Parameters found_;
};

}  // namespace

std::string typeText(const xsd::Type& type) {
    if (!type.value) return {};
    return (type.list && type.value->list == false ? "list of " : "") + std::string(type.value->name);
}

Parameters parametersOf(xsd::SchemaSet& schemas, const std::vector<const xsd::ElementDeclaration*>& elements) {
    Collector collector(schemas);
    if (elements.size() == 1 && !elements.front()->type->value) {
        collector.content(*elements.front()->type, "");
    } else {
        for (const auto* each : elements) collector.element({each, false, true, false}, "");
    }
    return std::move(collector).take();
}

}  // namespace postbus::cli
