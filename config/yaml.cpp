#include "config/yaml.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <istream>
#include <streambuf>
#include <string_view>

#include "config/tree_builder.hpp"

namespace postbus::config {
namespace {

/// Reads memory that is there already.
class ViewBuffer : public std::streambuf {
public:
    explicit ViewBuffer(std::string_view text) {
        char* const start = const_cast<char*>(text.data());  // only ever read
        setg(start, start, start + text.size());
    }
};

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
    Explanation{"illegal document indicator in scalar", "the text in quotes is not closed before a document mark"},
    Explanation{"the referenced anchor is not defined", "this alias (*) names no anchor (&) above"},
    Explanation{"unknown token", "a character that starts no YAML value; put the text into quotes"},
    Explanation{"flow end found without flow start", "a ']' or '}' that closes nothing"},
};

std::string explained(std::string_view message, const Node* innermost) {
    const std::string above = innermost ? "at " + innermost->place.lineText() : "above";
    if (message == "end of map flow not found") return "the '{' " + above + " is not closed, or a ',' is missing";
    if (message == "end of sequence flow not found") return "the '[' " + above + " is not closed, or a ',' is missing";
    for (const Explanation& each : explanations)
        if (message.substr(0, each.library.size()) == each.library) return std::string(each.ours);
    return "is no YAML: " + shown(message);
}

bool indentedByTab(std::string_view line) {
    return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

void addSyntaxProblem(const YAML::Exception& error, const Source& source, const Node* innermost, Problems& problems) {
    const Place place = source.place(error.mark.line, error.mark.column);
    if (indentedByTab(source.lineAt(place.offset))) {
        problems.add(place, {}, "the line is indented by a tab; YAML takes spaces only");
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

}  // namespace

const Node* parseYaml(const Source& source, NodeStore& store, Problems& problems) {
    if (!source.check(problems)) return nullptr;
    TreeBuilder builder(source, store, problems);
    try {
        ViewBuffer buffer(source.text());
        std::istream stream(&buffer);
        YAML::Parser parser(stream);
        if (parser.HandleNextDocument(builder)) refuseRest(parser, source, problems);
    } catch (const YAML::Exception& error) {
        addSyntaxProblem(error, source, builder.innermost(), problems);
        return nullptr;
    } catch (const GiveUp&) {
        return nullptr;
    }
    if (builder.root()) return builder.root();
    Node& nothing = store.emplace_back();
    nothing.place = source.place(0, 0);
    return &nothing;
}

}  // namespace postbus::config
