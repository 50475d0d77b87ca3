#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/xsd/reader/schema_set.hpp"

namespace postbus::cli {

/// An answer with its types: the tree that both printers go through.
struct AnswerNode {
    enum class Kind { Nil, Text, Boolean, Number, List, Object };

    Kind kind = Kind::Text;
    std::string text;               ///< of Text; of Boolean and Number as it was sent
    std::vector<AnswerNode> items;  ///< of List
    struct Member {
        std::string name;  ///< local; "@id" of an attribute, "#text" of a value beside attributes
        bool repeated = false;
        std::vector<AnswerNode> values;  ///< one, unless it is repeated
    };
    std::vector<Member> members;  ///< of Object
};

/// What an element holds, told by its type; null: told by what is there. xsi:type counts. A value that is none of its
/// type is Text. What may repeat is `repeated` even where there is one; where there is none it is there without values,
/// unless it stands in a choice.
AnswerNode readNode(Element element, const xsd::Type* type, xsd::SchemaSet& schemas);

}  // namespace postbus::cli
