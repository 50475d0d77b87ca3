#include "config/document.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <utility>

#include "config/assignment.hpp"
#include "config/yaml.hpp"

namespace postbus::config {

struct Document::State {
    std::deque<Source> sources;  // nodes and problems refer to them
    NodeStore nodes;
    Problems problems;
    const Node* root = nullptr;
};

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// At most one byte more than a source may have: enough to refuse it.
std::string contentOf(const std::string& name) {
    const auto refuse = [&](int error) { throw ConfigError(name + ": cannot be read: " + std::strerror(error)); };
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(name.c_str(), "rbe"));
    if (!file) refuse(errno);
    std::string text(Source::maxBytes + 1, '\0');
    errno = 0;
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get())) refuse(errno);
    return text;
}

}  // namespace

Document::Document(std::unique_ptr<State> state) : state_(std::move(state)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Document Document::load(const std::string& file) { return parse(contentOf(file), file); }

Document Document::parse(std::string text, std::string name) {
    auto state = std::make_unique<State>();
    const Source& source = state->sources.emplace_back(Source::file(std::move(name), std::move(text)));
    state->root = parseYaml(source, state->nodes, state->problems);
    if (!state->root) state->problems.throwIfAny();
    return Document(std::move(state));
}

void Document::set(std::string_view assignment) {
    State& state = *state_;
    const std::string name = "--set " + shown(assignment);
    const auto parsed = splitAssignment(assignment);
    if (!parsed) {
        const Source& source = state.sources.emplace_back(Source::setting(name, {}, state.sources.size()));
        state.problems.add({&source, 0}, {}, parsed.error().message());
        return;
    }
    const Source& source = state.sources.emplace_back(Source::setting(name, parsed->value, state.sources.size()));
    const Node* value = parseYaml(source, state.nodes, state.problems);
    if (!value) return;
    state.root = replaced(*state.root, parsed->path, *value, state.nodes, state.problems);
}

const Node& Document::root() const { return *state_->root; }
const Problems& Document::problems() const { return state_->problems; }

}  // namespace postbus::config
