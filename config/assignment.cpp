#include "config/assignment.hpp"

#include <algorithm>
#include <utility>

namespace postbus::config {
namespace {

/// One segment from the front of `rest`, plain or in double quotes (with \" and \\ inside).
Result<std::string> takeSegment(std::string_view& rest) {
    std::string segment;
    if (rest.empty() || rest.front() != '"') {
        const std::size_t end = std::min(rest.find_first_of(".=\""), rest.size());
        segment = rest.substr(0, end);
        rest.remove_prefix(end);
        if (segment.empty()) return Error::invalid("an empty name in PATH; it is PATH=VALUE, as in admin.listen=off");
        return segment;
    }
    for (std::size_t i = 1; i < rest.size(); ++i) {
        if (rest[i] == '"') {
            rest.remove_prefix(i + 1);
            return segment;
        }
        if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
        segment += rest[i];
    }
    return Error::invalid("a quote in PATH is not closed");
}

const Node* replacedBelow(const Node* node, const Path& path, std::size_t depth,
                          const std::vector<std::string>& segments, const Node& value, NodeStore& store,
                          Problems& problems) {
    if (depth == segments.size()) return &value;
    const bool isMap = node && node->kind == Node::Kind::Map;
    if (node && !isMap && node->kind != Node::Kind::Null) {
        problems.add(value.place, path,
                     "is " + node->described() + " at " + node->place.lineText() +
                         (node->kind == Node::Kind::List ? "; lists are replaced as a whole" : "; set it as a whole"));
        return nullptr;
    }
    const std::string& key = segments[depth];
    const Node* below =
        replacedBelow(isMap ? node->find(key) : nullptr, path.key(key), depth + 1, segments, value, store, problems);
    if (!below) return nullptr;
    Node& copy = isMap ? store.emplace_back(*node) : store.emplace_back();
    copy.kind = Node::Kind::Map;
    if (!isMap) copy.place = value.place;
    const auto entry =
        std::find_if(copy.entries.begin(), copy.entries.end(), [&](const Node::Entry& e) { return e.key == key; });
    if (entry == copy.entries.end()) {
        copy.entries.push_back({key, value.place, below});
    } else {
        // A key that is set is the setting's from now on; one on the way stays the file's.
        if (depth + 1 == segments.size()) entry->place = value.place;
        entry->value = below;
    }
    copy.index();
    return &copy;
}

}  // namespace

Result<Assignment> splitAssignment(std::string_view text) {
    Assignment result;
    std::string_view rest = text;
    for (;;) {
        Result<std::string> segment = takeSegment(rest);
        if (!segment) return std::move(segment).error();
        result.path.push_back(*std::move(segment));
        if (rest.empty()) return Error::invalid("has no '='; it is PATH=VALUE, as in admin.listen=off");
        const char next = rest.front();
        rest.remove_prefix(1);
        if (next == '=') break;
        if (next != '.')
            return Error::invalid("a segment of PATH is quoted as a whole, as in endpoints.\"My.Service\"");
    }
    if (result.path.size() > 32) return Error::invalid("PATH has more than 32 segments");
    result.value = rest;
    return result;
}

const Node* replaced(const Node& root, const std::vector<std::string>& path, const Node& value, NodeStore& store,
                     Problems& problems) {
    const Node* result = replacedBelow(&root, {}, 0, path, value, store, problems);
    return result ? result : &root;
}

}  // namespace postbus::config
