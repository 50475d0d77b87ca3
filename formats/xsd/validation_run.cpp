#include "formats/xsd/validation_run.hpp"

#include "formats/xml/copy_events.hpp"
#include "formats/xsd/rules.hpp"
#include "formats/xsd/text.hpp"

namespace postbus::xsd {
namespace {

/// One more tells nobody more.
constexpr std::size_t mostViolations = 5;

struct FreeContext {
    void operator()(xmlSchemaValidCtxt* context) const { xmlSchemaFreeValidCtxt(context); }
};

/// libxml2's validator takes "&#38;" in attributes for "&", as its parser writes it.
std::string escapedForSax(std::string_view value) {
    std::string out;
    for (const char c : value) {
        if (c == '&')
            out += "&#38;";
        else
            out += c;
    }
    return out;
}

std::string shownName(Element element) {
    return element.uri().empty() ? std::string(element.local())
                                 : "{" + std::string(element.uri()) + "}" + std::string(element.local());
}

/// What libxml2 says, without the "Element 'x': " in front, which is told apart from it.
std::string messageOf(const xmlError& error) {
    std::string text = legalText(error.message ? error.message : "it is not valid");
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    constexpr std::string_view start = "Element '", end = "': ";
    if (text.starts_with(start))
        if (const std::size_t at = text.find(end); at != std::string::npos) text.erase(0, at + end.size());
    return text;
}

}  // namespace

ValidationRun::ValidationRun(xmlSchemaPtr schema, Element root) : schema_(schema), root_(root), tape_(*root.tape()) {
    readNames();
}

void ValidationRun::readNames() {
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < tape_.name_count; ++i)
        size += tape_.names[i].local_length + tape_.names[i].uri_length + tape_.names[i].prefix_length + 3;
    memory_.reserve(size);
    names_.reserve(tape_.name_count);
    const auto kept = [&](std::uint32_t offset, std::uint32_t length) -> const xmlChar* {
        if (length == 0) return nullptr;
        const char* at = memory_.data() + memory_.size();
        memory_.append(tape_.text + offset, length).push_back('\0');
        return reinterpret_cast<const xmlChar*>(at);
    };
    for (std::uint32_t i = 0; i < tape_.name_count; ++i) {
        const postbus_name& each = tape_.names[i];
        names_.push_back({kept(each.local, each.local_length), kept(each.uri, each.uri_length),
                          kept(each.prefix, each.prefix_length)});
    }
}

void ValidationRun::onError(void* run, xmlErrorPtr error) {
    auto& its = *static_cast<ValidationRun*>(run);
    if (error->level < XML_ERR_ERROR || its.found_.size() >= mostViolations) return;
    Violation& violation = its.found_.emplace_back();
    violation.line = its.at_.line();
    violation.element = shownName(its.at_);
    violation.rule = ruleOf(error->code);
    violation.message = messageOf(*error);
}

/// What is declared on the element; at the root, what is in scope there.
void ValidationRun::addScope(Element element) {
    const auto add = [&](const postbus_node& node) {
        const Name& name = nameOf(node);
        namespaces_.push_back(name.prefix);
        // Not null for xmlns="", unlike everywhere else.
        namespaces_.push_back(name.uri ? name.uri : reinterpret_cast<const xmlChar*>(""));
    };
    for (Element scope = element; scope; scope = element.index() == root_.index() ? scope.parent() : Element{})
        for (std::uint32_t i = scope.index() + 1; i < scope.node().next; ++i) {
            const postbus_node& node = tape_.nodes[i];
            if (node.kind != POSTBUS_NODE_NAMESPACE) break;
            const postbus_name& its = tape_.names[node.name];
            const std::string_view prefix(tape_.text + its.prefix, its.prefix_length);
            if (std::find(seen_.begin(), seen_.end(), prefix) != seen_.end()) continue;
            seen_.push_back(prefix);
            add(node);
        }
    seen_.clear();
}

void ValidationRun::addAttributes(Element element) {
    for (std::uint32_t i = element.index() + 1; i < element.content(); ++i) {
        const postbus_node& node = tape_.nodes[i];
        if (node.kind != POSTBUS_NODE_ATTRIBUTE) continue;
        const std::string_view raw(tape_.text + node.text, node.length);
        std::string_view value = raw;
        if (raw.find('&') != std::string_view::npos)
            value = *values_.emplace_back(std::make_unique<std::string>(escapedForSax(raw)));
        const Name& name = nameOf(node);
        const auto* begin = reinterpret_cast<const xmlChar*>(value.data());
        attributes_.insert(attributes_.end(), {name.local, name.prefix, name.uri, begin, begin + value.size()});
    }
}

void ValidationRun::start(Element element, bool) {
    at_ = element;
    namespaces_.clear();
    attributes_.clear();
    values_.clear();
    addScope(element);
    addAttributes(element);
    const Name& name = nameOf(element.node());
    sax_->startElementNs(context_, name.local, name.prefix, name.uri, static_cast<int>(namespaces_.size() / 2),
                         namespaces_.data(), static_cast<int>(attributes_.size() / 5), 0, attributes_.data());
}

void ValidationRun::end(Element element) {
    at_ = element;
    const Name& name = nameOf(element.node());
    sax_->endElementNs(context_, name.local, name.prefix, name.uri);
}

std::vector<Violation> ValidationRun::violations() {
    const std::unique_ptr<xmlSchemaValidCtxt, FreeContext> context(xmlSchemaNewValidCtxt(schema_));
    if (!context) return {{0, shownName(root_), {}, "there is no memory to validate it"}};
    xmlSchemaSetValidStructuredErrors(context.get(), onError, this);
    at_ = root_;
    xmlSchemaSAXPlugPtr plug = xmlSchemaSAXPlug(context.get(), &sax_, &context_);
    std::vector<Element> open;
    xml::copyEvents(
        root_, [] { return false; },
        [&](Element element, bool isRoot) {
            open.push_back(element);
            start(element, isRoot);
        },
        [&](std::string_view text) {
            sax_->characters(context_, reinterpret_cast<const xmlChar*>(text.data()), static_cast<int>(text.size()));
        },
        [&] {
            end(open.back());
            open.pop_back();
        });
    at_ = root_;
    xmlSchemaSAXUnplug(plug);
    return std::move(found_);
}

}  // namespace postbus::xsd
