#include "xml_support.hpp"

#include <stdexcept>

namespace postbus::xml::test {

Tape parsed(std::string_view document, std::string_view charset) {
    Tape tape;
    const auto result = parse(document, charset, {}, tape);
    if (!result) throw std::runtime_error("refused: " + result.error().message());
    return tape;
}

std::string refusal(std::string_view document, std::string_view charset, const Limits& limits) {
    Tape tape;
    const auto result = parse(document, charset, limits, tape);
    return result ? std::string() : result.error().message();
}

namespace {

std::string described(const Tape& tape, bool lines) {
    const postbus_tape& view = *tape.view();
    const auto slice = [&](std::uint32_t offset, std::uint32_t length) {
        return std::string(view.text + offset, length);
    };
    std::string all;
    for (std::uint32_t i = 0; i < view.node_count; ++i) {
        const postbus_node& node = view.nodes[i];
        if (lines) all += std::to_string(node.line) + ": ";
        all += std::to_string(node.kind) + ' ' + std::to_string(node.next) + ' ' +
               std::to_string(static_cast<std::int32_t>(node.parent));
        if (node.kind != POSTBUS_NODE_TEXT) {
            const postbus_name& name = view.names[node.name];
            all += " {" + slice(name.uri, name.uri_length) + '}' + slice(name.prefix, name.prefix_length) + ':' +
                   slice(name.local, name.local_length);
        }
        all += " [" + slice(node.text, node.length) + "]\n";
    }
    return all;
}

}  // namespace

std::string dump(const Tape& tape) { return described(tape, false); }
std::string dumpWithLines(const Tape& tape) { return described(tape, true); }

std::string copied(Element element) {
    Buffer out;
    Writer writer;
    writer.begin(out);
    writer.copy(element);
    const auto result = writer.finish();
    if (!result) throw std::runtime_error(result.error().message());
    return std::string(out.view());
}

}  // namespace postbus::xml::test
