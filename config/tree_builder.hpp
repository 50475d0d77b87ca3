#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/problems.hpp"
#include "config/source.hpp"

namespace postbus::config {

/// Leaves the library's parser at once, wherever it stands; the problem has been added.
struct GiveUp {};

/// Makes nodes from the library's events. Events, unlike the library's own nodes, show a key that is given twice, and
/// come before the parser descends: so depth is bounded here.
class TreeBuilder : public YAML::EventHandler {
public:
    static constexpr std::size_t maxDepth = 64;
    static constexpr std::uint64_t maxNodes = 100'000;

    TreeBuilder(const Source& source, NodeStore& store, Problems& problems)
        : source_(source), store_(store), problems_(problems) {}

    const Node* root() const { return root_; }
    /// The list or mapping that was being read when the library gave up, or null.
    const Node* innermost() const { return open_.empty() ? nullptr : open_.back().node; }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override;
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) override;
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value style) override;
    void OnMapEnd() override;

private:
    struct Open {
        Node* node;
        bool keyRead = false;  ///< of a map: its value comes next
        bool dropped = false;  ///< that key was refused, so its value goes too
    };

    Path path() const;
    [[noreturn]] void giveUp(const Place& place, std::string what);
    Node& make(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor);
    void checkTag(const Node& node, const std::string& tag, std::string_view expected);
    void open(Node& node);
    void close();
    void add(const Node& node, const Place& place);
    void addToMap(Open& map, const Node& node, const Place& place);
    void mergeInto(Node& map);
    void refuseDuplicates(const Node& map);

    const Source& source_;
    NodeStore& store_;
    Problems& problems_;
    const Node* root_ = nullptr;
    std::vector<Open> open_;
    std::vector<const Node*> anchors_;  ///< by the library's number
};

}  // namespace postbus::config
