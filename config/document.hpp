#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "config/node.hpp"
#include "config/problems.hpp"

namespace postbus::config {

/// One YAML document, read and ready for read(). An empty one is all defaults.
class Document {
public:
    /// Reads `file`. Throws ConfigError when it can't be read or is no YAML.
    static Document load(const std::string& file);
    /// `name` stands for the file in messages. Throws ConfigError when it is no YAML.
    static Document parse(std::string text, std::string name);

    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;
    ~Document();

    /// Applies one --set: PATH=VALUE, where VALUE is YAML and a segment of PATH that is not of letters, digits, '-' and
    /// '_' is quoted: endpoints."My.Service".http=/x. What stood there is replaced, lists as a whole; mappings on the
    /// way are made. Faults are told by read(), with all others, and name the --set.
    void set(std::string_view assignment);

    const Node& root() const;
    /// Faults found so far, none of which kept the document from being read.
    const Problems& problems() const;

private:
    struct State;
    explicit Document(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace postbus::config
