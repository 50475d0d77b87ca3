#pragma once

#include <string>

#include "cli/call/answer_tree.hpp"
#include "formats/json/writer.hpp"

namespace postbus::cli {

/// As JSON: numbers digit for digit as they were sent (but for what JSON can't write, which is a string), null for nil,
/// an array for what may repeat.
void printJson(json::Writer& json, const AnswerNode& node);

/// As lines for people: "key: value", what is inside of it indented below; without control characters. `name` is that
/// of the answer's element, for an answer that is one value.
std::string printText(const AnswerNode& node, const std::string& name, std::size_t indent = 0);

}  // namespace postbus::cli
