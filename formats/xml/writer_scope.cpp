// The writer's namespaces: which prefix stands for what, and which to take.
#include "formats/xml/chars.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::xml {

std::string_view Writer::prefixOf(std::uint32_t binding) const {
    if (binding == unbound) return {};
    if (binding == reserved) return "xml";
    const Binding& its = bindings_[binding];
    return {scopeText_.data() + its.prefix, its.prefixLength};
}

std::string_view Writer::uriOf(std::uint32_t binding) const {
    if (binding == unbound) return {};
    if (binding == reserved) return xmlNamespace;
    const Binding& its = bindings_[binding];
    return {scopeText_.data() + its.uri, its.uriLength};
}

/// The binding a prefix has here.
std::uint32_t Writer::find(std::string_view prefix) const {
    for (std::size_t i = bindings_.size(); i-- > 0;)
        if (prefixOf(static_cast<std::uint32_t>(i)) == prefix) return static_cast<std::uint32_t>(i);
    return unbound;
}

/// The innermost binding of a namespace whose prefix has not got another meaning since.
std::uint32_t Writer::findNamespace(std::string_view uri, bool forAttribute) const {
    for (std::size_t i = bindings_.size(); i-- > 0;) {
        const auto binding = static_cast<std::uint32_t>(i);
        if (uriOf(binding) != uri || (forAttribute && prefixOf(binding).empty())) continue;
        if (find(prefixOf(binding)) == binding) return binding;
    }
    return unbound;
}

/// Binds on the innermost element, whose tag is open.
std::uint32_t Writer::bind(std::string_view prefix, std::string_view uri) {
    const bool takesBack = uri.empty() && !prefix.empty();  // only in Namespaces 1.1
    if ((!prefix.empty() && !isNcName(prefix)) || prefix == "xml" || prefix == "xmlns" || takesBack) {
        fail("not a prefix to be declared:", prefix);
        return unbound;
    }
    if (uri == xmlNamespace || uri == xmlnsNamespace) {
        fail("not a namespace to be declared:", uri);
        return unbound;
    }
    const auto offset = static_cast<std::uint32_t>(scopeText_.size());
    scopeText_ += prefix;
    scopeText_ += uri;
    const auto length = static_cast<std::uint32_t>(prefix.size());
    bindings_.push_back({offset, length, offset + length, static_cast<std::uint32_t>(uri.size())});
    return static_cast<std::uint32_t>(bindings_.size() - 1);
}

/// Binds the wished prefix unless it means something else here; then the first of ns1, ns2 ... that means nothing.
std::uint32_t Writer::bindFree(std::string_view wish, std::string_view uri) {
    if (!wish.empty() && wish != "xml" && find(wish) == unbound) return bind(wish, uri);
    for (unsigned number = 1;; ++number) {
        const std::string prefix = "ns" + std::to_string(number);  // short: no allocation
        if (find(prefix) == unbound) return bind(prefix, uri);
    }
}

std::uint32_t Writer::forElement(std::string_view uri, std::string_view wish) {
    if (uri == xmlNamespace) return reserved;
    const std::uint32_t wished = find(wish);
    if (uri.empty()) {  // no prefix can say this: the default namespace must be none
        const std::uint32_t now = wish.empty() ? wished : find({});
        if (now == unbound || uriOf(now).empty()) return unbound;
        if (now >= open_.back().bindings) fail("an element in no namespace declares a default one:", uriOf(now));
        return failed() ? unbound : bind({}, {});
    }
    if (wished != unbound && uriOf(wished) == uri) return wished;
    const std::uint32_t other = findNamespace(uri, false);
    if (other != unbound) return other;
    // A new default namespace is no harm unless the tag itself has declared one.
    const bool takeDefault = wish.empty() && (wished == unbound || wished < open_.back().bindings);
    return takeDefault ? bind({}, uri) : bindFree(wish, uri);
}

std::uint32_t Writer::forAttribute(std::string_view uri, std::string_view wish) {
    if (uri.empty()) return unbound;
    if (uri == xmlNamespace) return reserved;
    const std::uint32_t wished = wish.empty() ? unbound : find(wish);
    if (wished != unbound && uriOf(wished) == uri) return wished;
    const std::uint32_t other = findNamespace(uri, true);
    return other != unbound ? other : bindFree(wish, uri);
}

/// Whether the open tag holds a name, or a declaration, that a new meaning of the prefix would change.
bool Writer::usedInTag(std::string_view prefix) const {
    const Open& element = open_.back();
    const std::uint32_t now = find(prefix);
    if (now == unbound) return prefix.empty() && element.binding == unbound;
    if (now >= element.bindings || element.binding == now) return true;
    if (prefix.empty()) return element.binding == unbound;
    for (const Attribute& each : attributes_)
        if (each.binding == now) return true;
    return false;
}

}  // namespace postbus::xml
