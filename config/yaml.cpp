#include "config/yaml.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "config/tree_builder.hpp"

namespace postbus::config {
namespace {

/// What the library is given to read. It takes a text in quotes that is never closed for a whole one when the file ends
/// with its line; a mark for the end of the document, which may stand there in any case, makes it notice.
std::string withEndMark(std::string_view text) {
    std::string result(text);
    if (!result.empty() && result.back() == '\n') result += "...\n";
    return result;
}

struct Explanation {
    std::string_view library, ours;
};
/// The library's short words for the faults people make, and what helps.
constexpr std::array explanations{
    Explanation{"illegal map value", "a ':' that starts no value here; put a text that holds ': ' into quotes"},
    Explanation{"illegal block entry", "a '- ' where no list item can begin; check the indentation"},
    Explanation{"illegal map key", "a '? ' where no key can begin; check the indentation"},
    Explanation{"end of map not found", "neither a key of the mapping above nor its end; check the indentation"},
    Explanation{"end of sequence not found", "neither an item of the list above nor its end; check the indentation"},
    Explanation{"illegal EOF in scalar", "the text in quotes is not closed"},
    Explanation{"illegal document indicator in scalar", "the text in quotes is not closed"},
    Explanation{"the referenced anchor is not defined", "this alias (*) names no anchor (&) above"},
    Explanation{"unknown token", "a character that starts no YAML value; put the text into quotes"},
    Explanation{"unknown escape character",
                "a backslash and a character that mean nothing together; use single quotes"},
    Explanation{"bad character found while scanning hex number",
                "an escape such as \\x41 lacks its hexadecimal digits"},
    Explanation{"illegal flow end", "a ']' or '}' that closes nothing"},
};

std::string explained(std::string_view message, const Node* innermost) {
    const std::string above = innermost ? "at " + innermost->place.lineText() : "above";
    if (message == "end of map flow not found") return "the '{' " + above + " is not closed, or a ',' is missing";
    if (message == "end of sequence flow not found") return "the '[' " + above + " is not closed, or a ',' is missing";
    for (const Explanation& each : explanations)
        if (message.substr(0, each.library.size()) == each.library) return std::string(each.ours);
    return "is no YAML: " + shown(message);
}

std::optional<Place> indentingTab(const Source& source, const Place& place) {
    const std::string_view line = source.lineAt(place.offset);
    const std::size_t tab = line.substr(0, line.find_first_not_of(" \t")).find('\t');
    if (tab == std::string_view::npos) return std::nullopt;
    return Place{&source, static_cast<std::size_t>(line.data() - source.text().data()) + tab};
}

void addSyntaxProblem(const YAML::Exception& error, const Source& source, const Node* innermost, Problems& problems) {
    const Place place = source.place(error.mark.line, error.mark.column);
    if (const auto tab = indentingTab(source, place)) {
        problems.add(*tab, {}, "the line is indented by a tab; YAML takes spaces only");
    } else {
        problems.add(place, {}, explained(error.msg, innermost));
    }
}

/// Notices whether anything follows the one document.
class Rest : public YAML::EventHandler {
public:
    explicit Rest(const Source& source) : source_(source) {}
    void OnDocumentStart(const YAML::Mark& mark) override { found(mark); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { found(mark); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { found(mark); }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string&) override {
        found(mark);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        found(mark);
    }
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        found(mark);
    }
    void OnMapEnd() override {}

    const Place& place() const { return place_; }

private:
    [[noreturn]] void found(const YAML::Mark& mark) {
        place_ = source_.place(mark.line, mark.column);
        throw GiveUp{};
    }

    const Source& source_;
    Place place_;
};

void refuseRest(YAML::Parser& parser, const Source& source, Problems& problems) {
    Rest rest(source);
    try {
        if (!parser.HandleNextDocument(rest)) return;
    } catch (const GiveUp&) {
        const bool marked = source.lineAt(rest.place().offset).substr(0, 3) == "---";
        problems.add(rest.place(), {},
                     marked ? "a second document begins here; a file holds one"
                            : "this belongs to nothing above; check the indentation and the brackets");
        throw;
    }
}

/// Directives (%YAML, %TAG) with nothing after them: the library sees an empty document, a person sees a file that is
/// not what it should be.
bool onlyDirectives(std::string_view text) {
    bool directives = false;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (line.substr(0, 3) == "---") return false;
        directives = directives || line.substr(0, 1) == "%";
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return directives;
}

}  // namespace

const Node* parseYaml(const Source& source, NodeStore& store, Problems& problems) {
    if (!source.check(problems)) return nullptr;
    TreeBuilder builder(source, store, problems);
    try {
        std::istringstream stream(withEndMark(source.text()));
        YAML::Parser parser(stream);
        if (parser.HandleNextDocument(builder)) refuseRest(parser, source, problems);
    } catch (const YAML::Exception& error) {
        addSyntaxProblem(error, source, builder.innermost(), problems);
        return nullptr;
    } catch (const GiveUp&) {
        return nullptr;
    } catch (const std::exception& error) {
        // Its scanner also throws plain runtime errors.
        problems.add({&source, 0}, {}, "is no YAML: " + shown(error.what()));
        return nullptr;
    }
    const Node* root = builder.root();
    if (root && root->kind != Node::Kind::Null) return root;
    if (onlyDirectives(source.text())) {
        problems.add({&source, 0}, {}, "holds directives but no document");
        return nullptr;
    }
    Node& nothing = store.emplace_back();
    nothing.place = source.place(0, 0);
    return &nothing;
}

}  // namespace postbus::config
