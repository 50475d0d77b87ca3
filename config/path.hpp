#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace postbus::config {

/// Where a value stands in the configuration, as --set takes it and messages name it: endpoints."My.Service".http[1].
/// A value.
class Path {
public:
    Path() = default;  ///< the whole document

    Path key(std::string_view name) const;
    Path item(std::size_t index) const;

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }

private:
    std::string text_;
};

/// C0, DEL or C1 (as UTF-8): what a terminal or a log would obey instead of showing it.
bool hasControlCharacter(std::string_view text);

/// The file's own words inside of a message: control characters escaped, so that no file forges a line of the log
/// (CWE-117), and cut when long.
std::string shown(std::string_view text);

/// shown() between apostrophes.
std::string inQuotes(std::string_view text);

}  // namespace postbus::config
