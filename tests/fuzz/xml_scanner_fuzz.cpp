// The two readers behind parse() on the same bytes; the first byte chooses the limits.
//
// What the scanner takes, libxml2's reader takes, and gives the same tape of it, line numbers included. What libxml2's
// reader takes, the scanner takes too, but for what is listed at isLeniency() and for the very limit of nodes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "formats/xml/readers.hpp"
#include "formats/xml/tape_check.hpp"

using namespace postbus;
using namespace postbus::xml;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

/// All that a tape says.
std::string dump(const postbus_tape& tape) {
    std::string all;
    const auto slice = [&](std::uint32_t offset, std::uint32_t length) {
        all += std::to_string(length) + '"';
        all.append(tape.text + offset, length);
    };
    for (std::uint32_t i = 0; i < tape.node_count; ++i) {
        const postbus_node& node = tape.nodes[i];
        for (const std::uint32_t number : {node.line, node.kind, node.next, node.parent})
            all += std::to_string(number) + ' ';
        if (node.kind != POSTBUS_NODE_TEXT) {
            const postbus_name& name = tape.names[node.name];
            slice(name.uri, name.uri_length);
            slice(name.prefix, name.prefix_length);
            slice(name.local, name.local_length);
        }
        slice(node.text, node.length);
        all += '\n';
    }
    return all;
}

/// Where libxml2 takes what the standard forbids, and the scanner does not: no space between the encoding and
/// `standalone`, and the prefix xml declared twice in one element. Looked for roughly.
bool isLeniency(std::string_view document) {
    const std::string_view head = document.substr(0, document.find("?>"));
    for (const std::string_view close : {"'standalone", "\"standalone"})
        if (head.starts_with("<?xml") && head.find(close) != std::string_view::npos) return true;
    const std::size_t first = document.find("xmlns:xml");
    return first != std::string_view::npos && document.find("xmlns:xml", first + 1) != std::string_view::npos;
}

Limits limitsFor(std::uint8_t choice) {
    Limits limits;
    if (choice == 1) {
        limits.depth = 4;
        limits.attributes = 4;
        limits.bindings = 3;
        limits.names = 9;
        limits.nameLength = 36;
    }
    if (choice == 2) limits.nodes = 8;
    return limits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::uint8_t choice = data[0] % 4;
    const Limits limits = limitsFor(choice);
    // Of its own size, so that a look beyond its end is found.
    const std::vector<char> bytes(data + 1, data + size);
    const std::string_view document(bytes.data(), bytes.size());
    if (document.starts_with("\xEF\xBB\xBF")) return 0;  // parse() refuses it before

    Tape scanned, read;
    const bool ours = readByScanner(document, limits, scanned);
    const auto theirs = readByLibxml2(document, limits, read);
    if (ours) {
        if (!theirs) std::fprintf(stderr, "%s\n", theirs.error().message().c_str());
        require(!!theirs, "what the scanner takes, libxml2's reader takes");
        require(checkTape(*scanned.view()) == nullptr, "the scanner's tape passes its own check");
        require(scanned.view()->name_count == read.view()->name_count, "both tapes have as many names");
        require(dump(*scanned.view()) == dump(*read.view()), "both tapes are the same");
        return 0;
    }
    require(scanned.empty() && scanned.view()->text_size == 0, "an empty tape of what the scanner refuses");
    require(!theirs || limits.nodes == 8 || isLeniency(document), "what libxml2's reader takes, the scanner takes");
    return 0;
}
