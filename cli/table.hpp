#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace postbus::cli {

/// Columns for people: each as wide as its widest cell, the last one free.
class Table {
public:
    explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/// Without control characters: what comes from elsewhere steers no terminal.
std::string printable(std::string_view text);

}  // namespace postbus::cli
