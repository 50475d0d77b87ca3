// Bytes as a document, and as a tape from elsewhere. The first byte chooses which, and the transport's charset.
//
// A document that is taken is the same after it was copied and read again, and after it went through its serialized
// form. A tape that checkTape() lets pass can be walked, and what the writer makes of it, when it makes something, is
// well-formed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "formats/xml/parse.hpp"
#include "formats/xml/tape_check.hpp"
#include "formats/xml/writer.hpp"

using namespace postbus;
using namespace postbus::xml;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

std::string_view slice(const postbus_tape& tape, std::uint32_t offset, std::uint32_t length) {
    return {tape.text + offset, length};
}

/// All that a tape says but for lines.
std::string dump(const postbus_tape& tape) {
    std::string all;
    for (std::uint32_t i = 0; i < tape.node_count; ++i) {
        const postbus_node& node = tape.nodes[i];
        all += std::to_string(node.kind) + ',' + std::to_string(node.next) + ',' + std::to_string(node.parent) + ' ';
        if (node.kind != POSTBUS_NODE_TEXT) {
            const postbus_name& name = tape.names[node.name];
            all += slice(tape, name.uri, name.uri_length);
            all += ' ';
            all += slice(tape, name.prefix, name.prefix_length);
            all += ':';
            all += slice(tape, name.local, name.local_length);
        }
        all += '=';
        all += slice(tape, node.text, node.length);
        all += '\n';
    }
    return all;
}

/// Uses every way through a tape that others have.
std::size_t walk(const postbus_tape& tape) {
    std::size_t sum = dump(tape).size();
    for (std::uint32_t i = 0; i < tape.node_count; ++i) {
        if (tape.nodes[i].kind != POSTBUS_NODE_ELEMENT) continue;
        const Element element(&tape, i);
        for (Element child = element.firstChild(); child; child = child.next()) sum += child.local().size();
        sum += element.text().size() + element.simpleText().value_or("").size();
        sum += element.lookup("p").value_or("").size() + element.attribute("", "x").value_or("").size();
        if (element.parent()) ++sum;
    }
    return sum;
}

Result<void> copied(const postbus_tape& tape, Buffer& out) {
    Writer writer;
    writer.begin(out);
    writer.copy({&tape, 0});
    return writer.finish();
}

/// Whether the root takes back a default namespace, where there is none: a copy of it leaves that out.
bool rootSaysNothing(const postbus_tape& tape) {
    for (std::uint32_t i = 1; i < tape.node_count && tape.nodes[i].kind == POSTBUS_NODE_NAMESPACE; ++i) {
        const postbus_name& name = tape.names[tape.nodes[i].name];
        if (name.prefix_length == 0 && name.uri_length == 0) return true;
    }
    return false;
}

void asDocument(std::string_view bytes, std::string_view charset) {
    Tape tape, again;
    const auto result = parse(bytes, charset, {}, tape);
    if (!result) {
        for (const char c : result.error().message())
            require(static_cast<unsigned char>(c) >= 0x20, "a printable error");
        require(tape.empty(), "an empty tape after an error");
        return;
    }
    require(checkTape(*tape.view()) == nullptr, "a tape that passes its own check");
    walk(*tape.view());

    Buffer out;
    require(!!copied(*tape.view(), out), "a copy of what was read");
    require(!!parse(out.view(), "utf-8", {}, again), "a copy that can be read");
    require(rootSaysNothing(*tape.view()) || dump(*again.view()) == dump(*tape.view()), "a copy that says the same");

    const auto back = Tape::verify(tape.serialize());
    require(back && dump(*back->view()) == dump(*tape.view()), "a serialized form that says the same");
}

template <class T>
std::vector<T> take(std::string_view& bytes, std::size_t count) {
    std::vector<T> all(std::min(count, bytes.size() / sizeof(T)));
    if (!all.empty()) std::memcpy(all.data(), bytes.data(), all.size() * sizeof(T));
    bytes.remove_prefix(all.size() * sizeof(T));
    return all;
}

/// The bytes as they would lie behind a head with a right checksum, which no fuzzer finds.
void asTape(std::string_view bytes) {
    (void)Tape::verify(bytes);
    if (bytes.size() < 2) return;
    const std::size_t nodeCount = static_cast<unsigned char>(bytes[0]),
                      nameCount = static_cast<unsigned char>(bytes[1]);
    bytes.remove_prefix(2);
    const auto nodes = take<postbus_node>(bytes, nodeCount);
    const auto names = take<postbus_name>(bytes, nameCount);
    const std::vector<char> text(bytes.begin(), bytes.end());
    postbus_tape tape{};
    tape.size = sizeof tape;
    tape.layout = POSTBUS_TAPE_LAYOUT;
    tape.nodes = nodes.data();
    tape.names = names.data();
    tape.text = text.data();
    tape.node_count = static_cast<std::uint32_t>(nodes.size());
    tape.name_count = static_cast<std::uint32_t>(names.size());
    tape.text_size = static_cast<std::uint32_t>(text.size());
    if (checkTape(tape) != nullptr) return;
    walk(tape);
    Buffer out;
    if (tape.node_count == 0 || !copied(tape, out)) return;
    Limits limits;
    limits.depth = limits.attributes = limits.bindings = limits.nameLength = 100'000;
    Tape again;
    const auto result = parse(out.view(), "utf-8", limits, again);
    if (!result) std::fprintf(stderr, "%s\n", result.error().message().c_str());
    require(!!result, "a copy of a checked tape that can be read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::string_view charsets[] = {"utf-8", "", "iso-8859-1", "utf-16", "us-ascii", "shift_jis"};
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t choice = data[0] % 8u;
    choice < std::size(charsets) ? asDocument(bytes, charsets[choice]) : asTape(bytes);
    return 0;
}
