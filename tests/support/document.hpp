#pragma once

#include <postbus/element.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "formats/xml/parse.hpp"

namespace postbus::test {

/// A document a test looks into. Throws when it is not well-formed: an answer of ours always is.
class Document {
public:
    explicit Document(std::string_view text) {
        if (auto parsed = xml::parse(text, "utf-8", xml::Limits{}, tape_); !parsed)
            throw std::runtime_error("not well-formed: " + parsed.error().message() + "\n" + std::string(text));
    }

    Element root() const { return tape_.root(); }

    /// The first element of that local name, in document order; none when there is none.
    Element find(std::string_view local) const {
        const std::vector<Element> found = all(local);
        return found.empty() ? Element{} : found.front();
    }
    std::vector<Element> all(std::string_view local) const {
        std::vector<Element> found;
        const postbus_tape& tape = *tape_.view();
        for (std::uint32_t i = 0; i < tape.node_count; ++i)
            if (tape.nodes[i].kind == POSTBUS_NODE_ELEMENT && Element(&tape, i).local() == local)
                found.emplace_back(&tape, i);
        return found;
    }
    std::string text(std::string_view local) const {
        const Element found = find(local);
        return found ? found.text() : "(no " + std::string(local) + ")";
    }

private:
    xml::Tape tape_;
};

/// The infoset as text: names expanded, attributes sorted, white space between elements and prefixes dropped.
inline std::string infoset(Element element, int depth = 0) {
    std::string out(2 * depth, ' ');
    out += "{" + std::string(element.uri()) + "}" + std::string(element.local());
    const postbus_tape& tape = *element.tape();
    std::vector<std::string> attributes;
    for (std::uint32_t i = element.index() + 1; i < element.content(); ++i) {
        if (tape.nodes[i].kind != POSTBUS_NODE_ATTRIBUTE) continue;
        const postbus_node& node = tape.nodes[i];
        const postbus_name& name = tape.names[node.name];
        attributes.push_back(" {" + std::string(tape.text + name.uri, name.uri_length) + "}" +
                             std::string(tape.text + name.local, name.local_length) + "=\"" +
                             std::string(tape.text + node.text, node.length) + "\"");
    }
    std::sort(attributes.begin(), attributes.end());
    for (const std::string& each : attributes) out += each;
    out += "\n";
    for (std::uint32_t i = element.content(); i < element.node().next; i = tape.nodes[i].next) {
        if (tape.nodes[i].kind == POSTBUS_NODE_ELEMENT) {
            out += infoset({&tape, i}, depth + 1);
            continue;
        }
        const std::string text(tape.text + tape.nodes[i].text, tape.nodes[i].length);
        if (text.find_first_not_of(" \t\r\n") != std::string::npos)
            out += std::string(2 * depth + 2, ' ') + text + "\n";
    }
    return out;
}

}  // namespace postbus::test
