#include "cli/call/example.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "formats/xsd/text.hpp"

namespace postbus::cli {
namespace {

constexpr std::size_t mostElements = 2'000;
constexpr std::size_t deepest = 40;

std::string exampleValue(const xsd::Type& type) {
    if (!type.enumeration.empty()) return type.enumeration.front();
    return type.value ? std::string(type.value->example) : std::string();
}

class Example {
public:
    explicit Example(xsd::SchemaSet& schemas) : schemas_(schemas) {}

    void element(const xsd::ElementDeclaration& declaration) {
        if (++written_ > mostElements || open_.size() > deepest) return comment("and so on");
        const xsd::Type* type = declaration.type;
        if (type->abstract) type = concrete(*type);
        if (!type->problem.empty()) return comment(type->problem);
        const std::string name = nameOf(declaration.name, false);
        indent();
        text_ += '<' + name;
        for (const xsd::AttributeDeclaration& each : type->attributes)
            attribute(nameOf(each.name, true), each.value ? *each.value : exampleValue(*each.type));
        if (type != declaration.type) {
            prefixOf(std::string(xsd::instanceNamespace));
            attribute("xsi:type", nameOf(type->name, false));
        }
        if (root_ == std::string::npos) root_ = text_.size();  // where declarations go
        if (type->value || type->content.parts.empty()) {
            const std::string value = declaration.value ? *declaration.value : exampleValue(*type);
            text_ += '>';
            xsd::appendContent(text_, value);
            text_ += "</" + name + ">\n";
            return;
        }
        text_ += ">\n";
        open_.push_back(type);
        particle(type->content);
        open_.pop_back();
        indent();
        text_ += "</" + name + ">\n";
    }

    std::string take() && {
        std::string declarations;
        for (const auto& [uri, prefix] : prefixes_) {
            declarations += " xmlns:" + prefix + "=\"";
            xsd::appendAttribute(declarations, uri);
            declarations += '"';
        }
        if (root_ != std::string::npos) text_.insert(root_, declarations);
        return std::move(text_);
    }

private:
    void particle(const xsd::Particle& particle) {
        using Kind = xsd::Particle::Kind;
        if (particle.max == 0) return;
        if (particle.kind == Kind::Wildcard) return comment("any other element");
        if (particle.kind == Kind::Element && particle.min == 0 && recurs(*particle.element)) return;
        if (particle.kind != Kind::Element && particle.parts.empty()) return;
        if (particle.max > 1)
            comment(particle.min == 0 ? "any number of times" : "at least " + std::to_string(particle.min) + " times");
        else if (particle.min == 0)
            comment("optional");
        if (particle.kind == Kind::Element) return element(*particle.element);
        if (particle.kind != Kind::Choice || particle.parts.size() == 1) {
            for (const xsd::Particle& each : particle.parts) this->particle(each);
            return;
        }
        // A request has to be one that can be sent: the first is there, the others are named.
        std::string others;
        xsd::Type rest;
        rest.content.parts.assign(particle.parts.begin() + 1, particle.parts.end());
        for (const xsd::Child& each : xsd::childrenOf(rest))
            others += (others.empty() ? "" : ", ") + each.element->name.local;
        comment("or instead: " + others);
        this->particle(particle.parts.front());
    }

    bool recurs(const xsd::ElementDeclaration& element) const {
        return std::find(open_.begin(), open_.end(), element.type) != open_.end();
    }

    const xsd::Type* concrete(const xsd::Type& type) {
        for (const std::string& each : schemas_.derivedNames(type)) {
            const xsd::Type* derived = schemas_.derived(type, each);
            if (derived && !derived->abstract && derived->problem.empty()) return derived;
        }
        return &type;
    }

    std::string prefixOf(const std::string& uri) {
        const auto at = prefixes_.find(uri);
        if (at != prefixes_.end()) return at->second;
        const std::string prefix = uri == xsd::instanceNamespace ? "xsi"
                                   : ++used_ == 1                ? "tns"
                                                                 : "ns" + std::to_string(used_);
        return prefixes_.emplace(uri, prefix).first->second;
    }

    std::string nameOf(const xsd::Name& name, bool attribute) {
        if (attribute && name.uri == "http://www.w3.org/XML/1998/namespace") return "xml:" + name.local;
        return name.uri.empty() ? name.local : prefixOf(name.uri) + ':' + name.local;
    }

    void attribute(const std::string& name, std::string_view value) {
        text_ += ' ' + name + "=\"";
        xsd::appendAttribute(text_, value);
        text_ += '"';
    }

    void comment(std::string text) {
        // "--" may not stand in a comment.
        for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.replace(at, 2, "- -");
        indent();
        text_ += "<!-- ";
        xsd::appendContent(text_, text);
        text_ += " -->\n";
    }

    void indent() { text_.append(2 * open_.size(), ' '); }

    xsd::SchemaSet& schemas_;
    std::string text_;
    std::size_t root_ = std::string::npos, written_ = 0, used_ = 0;
    std::map<std::string, std::string> prefixes_;
    std::vector<const xsd::Type*> open_;
};

}  // namespace

std::string exampleOf(xsd::SchemaSet& schemas, const xsd::ElementDeclaration& element) {
    Example example(schemas);
    example.element(element);
    return std::move(example).take();
}

}  // namespace postbus::cli
