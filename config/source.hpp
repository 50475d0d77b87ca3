#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace postbus::config {

class Problems;

/// A position in a source: bytes from its start. Borrows the source.
class Source;
struct Place {
    const Source* source = nullptr;
    std::size_t offset = 0;

    std::string text() const;  ///< FILE:LINE:COLUMN, or --set PATH=VALUE
    bool before(const Place& other) const;
    std::string lineText() const;  ///< "line 4", or --set PATH=VALUE: to point at it from another place
};

/// What a document is made from: the text of a file, or of one --set.
class Source {
public:
    static constexpr std::size_t maxBytes = 1 << 20;

    /// A file; `order` sorts messages: the file first, then each --set as given.
    static Source file(std::string name, std::string text) { return {std::move(name), std::move(text), true, 0}; }
    /// Messages name it without line and column.
    static Source setting(std::string name, std::string value, std::size_t order) {
        return {std::move(name), std::move(value), false, order};
    }

    /// The door in front of the YAML library: no more than 1 MiB, UTF-8 (RFC 3629), only characters that YAML 1.2
    /// section 5.1 allows. Returns false after adding the first problem.
    bool check(Problems& problems) const;

    /// Without a byte order mark.
    std::string_view text() const { return text_; }
    const std::string& name() const { return name_; }
    std::size_t order() const { return order_; }
    bool hasLines() const { return hasLines_; }

    /// From the YAML library's marks: line and column from 0, columns in bytes.
    Place place(int line, int byteColumn) const;
    std::string_view lineAt(std::size_t offset) const;  ///< without its end

    struct Position {
        std::size_t line, column;  ///< from 1, columns in characters
    };
    Position position(std::size_t offset) const;

private:
    Source(std::string name, std::string text, bool hasLines, std::size_t order);

    std::string name_, text_;
    bool hasLines_;
    std::size_t order_;
    std::vector<std::size_t> starts_;  ///< of lines
};

}  // namespace postbus::config
