#include "config/tree_builder.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace postbus::config {
namespace {

constexpr std::string_view mergeKey = "<<";

/// Where the item that is nothing stands, when the library says `offset`: there, if it was written out as "~" or
/// "null", else at the dash before.
std::size_t dashBefore(std::string_view text, std::size_t offset) {
    const std::string_view word = text.substr(offset, 4);
    if (word.substr(0, 1) == "~" || word == "null" || word == "Null" || word == "NULL") return offset;
    constexpr std::size_t reach = 1'024;  // so that a long list of them costs no more than its length
    const std::size_t from = offset - std::min(offset, reach);
    const std::size_t dash = text.substr(from, offset - from).rfind('-');
    return dash == std::string_view::npos ? offset : from + dash;
}

}  // namespace

/// Of what is being read.
Path TreeBuilder::path() const {
    Path result;
    for (const Open& each : open_) {
        if (each.node->kind == Node::Kind::List) {
            result = result.item(each.node->items.size());
        } else if (each.keyRead) {
            result = result.key(each.dropped ? "?" : each.node->entries.back().key);
        }
    }
    return result;
}

void TreeBuilder::giveUp(const Place& place, std::string what) {
    problems_.add(place, path(), std::move(what));
    throw GiveUp{};
}

Node& TreeBuilder::make(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Node& node = store_.emplace_back();
    node.kind = kind;
    node.place = source_.place(mark.line, mark.column);
    if (anchor != YAML::NullAnchor) {
        if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
        anchors_[anchor] = &node;
    }
    return node;
}

/// "?" and "!" are the library's names for "no tag": plain, and in quotes.
void TreeBuilder::checkTag(const Node& node, const std::string& tag, std::string_view expected) {
    if (tag.empty() || tag == "?" || tag == "!" || tag == expected) return;
    problems_.add(node.place, path(), "the tag " + inQuotes(tag) + " has no meaning here; leave it out");
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
    Node& node = make(Node::Kind::Null, mark, anchor);
    // The library marks nothing where it noticed it: at what comes next. A reader looks beside the key or dash.
    if (!open_.empty() && open_.back().node->kind == Node::Kind::List) {
        node.place.offset = dashBefore(source_.text(), node.place.offset);
    } else if (!open_.empty() && open_.back().keyRead && !open_.back().dropped) {
        node.place = open_.back().node->entries.back().place;
    }
    add(node, node.place);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
    Node& node = make(Node::Kind::Scalar, mark, anchor);
    node.text = value;
    node.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    checkTag(node, tag, "tag:yaml.org,2002:str");
    add(node, node.place);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
    const Place place = source_.place(mark.line, mark.column);
    const Node* target = anchor < anchors_.size() ? anchors_[anchor] : nullptr;
    const bool inside = std::any_of(open_.begin(), open_.end(), [&](const Open& each) { return each.node == target; });
    if (!target || inside) giveUp(place, "this alias stands for the very value it is in");
    add(*target, place);
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value) {
    Node& node = make(Node::Kind::List, mark, anchor);
    checkTag(node, tag, "tag:yaml.org,2002:seq");
    open(node);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value) {
    Node& node = make(Node::Kind::Map, mark, anchor);
    checkTag(node, tag, "tag:yaml.org,2002:map");
    open(node);
}

void TreeBuilder::OnMapEnd() {
    Node& map = *open_.back().node;
    refuseDuplicates(map);
    mergeInto(map);
    map.index();
    close();
}

void TreeBuilder::open(Node& node) {
    if (open_.size() == maxDepth) giveUp(node.place, "is nested more than " + std::to_string(maxDepth) + " deep");
    open_.push_back({&node});
}

void TreeBuilder::close() {
    const Node& node = *open_.back().node;
    open_.pop_back();
    add(node, node.place);
}

void TreeBuilder::add(const Node& node, const Place& place) {
    if (open_.empty()) {
        root_ = &node;
        return;
    }
    Open& parent = open_.back();
    parent.node->weight += node.weight;
    if (parent.node->weight > maxNodes || store_.size() > maxNodes)
        giveUp(place, "the document has more than " + std::to_string(maxNodes) +
                          " values, counting each alias as what it stands for");
    if (parent.node->kind == Node::Kind::List) {
        parent.node->items.push_back(&node);
    } else {
        addToMap(parent, node, place);
    }
}

void TreeBuilder::addToMap(Open& map, const Node& node, const Place& place) {
    if (map.keyRead) {
        if (!map.dropped) map.node->entries.back().value = &node;
        map.keyRead = map.dropped = false;
        return;
    }
    const bool quotedMerge = node.quoted && node.text == mergeKey;
    if (node.kind != Node::Kind::Scalar || quotedMerge) {
        problems_.add(place, path(),
                      quotedMerge ? "'<<' in quotes is no key of Postbus; without quotes it merges mappings"
                                  : "a key must be a text, this is " + node.described());
        map.dropped = true;
    } else {
        map.node->entries.push_back({node.text, place, nullptr});
    }
    map.keyRead = true;
}

void TreeBuilder::refuseDuplicates(const Node& map) {
    std::unordered_map<std::string_view, const Place*> seen;
    for (const Node::Entry& entry : map.entries) {
        const auto [first, isNew] = seen.try_emplace(entry.key, &entry.place);
        if (isNew) continue;
        problems_.add(entry.place, path(),
                      "the key " + inQuotes(entry.key) + " is given twice, first at " + first->second->lineText());
    }
}

/// YAML's merge key (https://yaml.org/type/merge.html): entries of the mappings it names, unless the mapping has the
/// key itself; of several mappings the first that has it.
void TreeBuilder::mergeInto(Node& map) {
    const auto isMerge = [](const Node::Entry& entry) { return entry.key == mergeKey; };
    if (std::none_of(map.entries.begin(), map.entries.end(), isMerge)) return;

    std::vector<Node::Entry> own = std::move(map.entries);
    const auto merges = std::stable_partition(own.begin(), own.end(), [&](const auto& e) { return !isMerge(e); });
    std::unordered_set<std::string_view> taken;
    for (auto entry = own.begin(); entry != merges; ++entry) taken.insert(entry->key);

    std::vector<const Node*> bases;
    for (auto entry = merges; entry != own.end(); ++entry) {
        if (entry->value->kind == Node::Kind::List) {
            bases.insert(bases.end(), entry->value->items.begin(), entry->value->items.end());
        } else {
            bases.push_back(entry->value);
        }
    }
    map.entries.assign(own.begin(), merges);
    for (const Node* base : bases) {
        if (base->kind != Node::Kind::Map) {
            problems_.add(merges->place, path(),
                          "'<<' takes a mapping or a list of mappings, not " + base->described());
            continue;
        }
        for (const Node::Entry& entry : base->entries)
            if (taken.insert(entry.key).second) map.entries.push_back(entry);
    }
}

}  // namespace postbus::config
