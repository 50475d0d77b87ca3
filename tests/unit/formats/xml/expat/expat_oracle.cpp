#include "expat_oracle.hpp"

#include <expat.h>

#include <memory>

namespace postbus::xml::test {
namespace {

constexpr char separator = '\f';  // no Char: it stands in no document

/// Collects lines: E element, N declaration, A attribute, T text, / end.
struct Collector {
    std::string lines, declarations, text;
    bool refused = false;

    void flush() {
        if (!text.empty()) lines += "T " + text + "\n";
        text.clear();
    }
};

/// expat gives uri, local name and prefix with separators between; without a prefix, uri and local name; else the name.
std::string named(const char* triplet) {
    const std::string_view all(triplet);
    const std::size_t first = all.find(separator);
    if (first == std::string_view::npos) return "{}:" + std::string(all);
    const std::string_view rest = all.substr(first + 1);
    const std::size_t second = rest.find(separator);
    std::string prefix(second == std::string_view::npos ? "" : rest.substr(second + 1));
    if (all.substr(0, first) == "http://www.w3.org/XML/1998/namespace") prefix = "xml";  // which it leaves out
    return "{" + std::string(all.substr(0, first)) + "}" + prefix + ":" + std::string(rest.substr(0, second));
}

Collector& of(void* user) { return *static_cast<Collector*>(user); }

void onDeclaration(void* user, const char* prefix, const char* uri) {
    if (prefix && std::string_view(prefix) == "xml") return;
    of(user).declarations += "N {" + std::string(uri ? uri : "") + "}" + (prefix ? prefix : "") + "\n";
}

void onStart(void* user, const char* name, const char** attributes) {
    Collector& self = of(user);
    self.flush();
    self.lines += "E " + named(name) + "\n" + self.declarations;
    self.declarations.clear();
    for (; *attributes; attributes += 2) self.lines += "A " + named(attributes[0]) + "=" + attributes[1] + "\n";
}

void onEnd(void* user, const char*) {
    of(user).flush();
    of(user).lines += "/\n";
}

void onText(void* user, const char* text, int length) { of(user).text.append(text, static_cast<std::size_t>(length)); }
void onInstruction(void* user, const char*, const char*) { of(user).refused = true; }
void onDoctype(void* user, const char*, const char*, const char*, int) { of(user).refused = true; }
void onXmlDeclaration(void* user, const char* version, const char*, int) {
    // expat looks at no version.
    if (version && std::string_view(version) != "1.0") of(user).refused = true;
}

}  // namespace

std::optional<std::string> eventsByExpat(std::string_view document) {
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreateNS("UTF-8", separator),
                                                                              &XML_ParserFree);
    Collector collector;
    XML_SetUserData(parser.get(), &collector);
    XML_SetReturnNSTriplet(parser.get(), 1);
    XML_SetElementHandler(parser.get(), onStart, onEnd);
    XML_SetCharacterDataHandler(parser.get(), onText);
    XML_SetProcessingInstructionHandler(parser.get(), onInstruction);
    XML_SetStartDoctypeDeclHandler(parser.get(), onDoctype);
    XML_SetXmlDeclHandler(parser.get(), onXmlDeclaration);
    XML_SetStartNamespaceDeclHandler(parser.get(), onDeclaration);
    const auto status = XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), 1);
    if (status != XML_STATUS_OK || collector.refused) return std::nullopt;
    return collector.lines;
}

std::string eventsOf(const Tape& tape) {
    const postbus_tape& view = *tape.view();
    const auto slice = [&](std::uint32_t offset, std::uint32_t length) {
        return std::string(view.text + offset, length);
    };
    std::string lines;
    std::uint32_t open = POSTBUS_NO_NODE;
    for (std::uint32_t i = 0; i < view.node_count; ++i) {
        for (; open != POSTBUS_NO_NODE && view.nodes[open].next == i; open = view.nodes[open].parent) lines += "/\n";
        const postbus_node& node = view.nodes[i];
        const postbus_name& name = view.names[node.name];
        const std::string uri = "{" + slice(name.uri, name.uri_length) + "}" + slice(name.prefix, name.prefix_length);
        const std::string qname = uri + ":" + slice(name.local, name.local_length);
        if (node.kind == POSTBUS_NODE_ELEMENT) lines += "E " + qname + "\n", open = i;
        if (node.kind == POSTBUS_NODE_NAMESPACE) lines += "N " + uri + "\n";
        if (node.kind == POSTBUS_NODE_ATTRIBUTE) lines += "A " + qname + "=" + slice(node.text, node.length) + "\n";
        if (node.kind == POSTBUS_NODE_TEXT) lines += "T " + slice(node.text, node.length) + "\n";
    }
    for (; open != POSTBUS_NO_NODE; open = view.nodes[open].parent) lines += "/\n";
    return lines;
}

}  // namespace postbus::xml::test
