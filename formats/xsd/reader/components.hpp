#pragma once

#include <postbus/element.hpp>

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "formats/xsd/reader/name.hpp"

namespace postbus::xsd {

/// One xs:schema, with what holds for all that stands in it.
struct Document {
    std::string location;
    std::string ns;          ///< target namespace; of a chameleon include that of who includes it
    bool chameleon = false;  ///< names without a prefix mean `ns` there
    bool qualifiedElements = false, qualifiedAttributes = false;
};

/// Where something is declared.
struct Component {
    Element node;
    const Document* document = nullptr;
};

/// The global components of all schemas by kind and name, as they stand in their documents: nothing is resolved.
class Components {
public:
    Result<void> add(Element schema, std::string location, std::string_view includedInto);

    enum class Kind { Element, Type, Group, AttributeGroup, Attribute };
    /// Null when there is none.
    const Component* find(Kind kind, const Name& name) const;
    const std::map<Name, Component>& types() const { return of_[static_cast<std::size_t>(Kind::Type)]; }
    /// The elements that may stand in for `head`, directly or through others; bounded.
    std::vector<Name> substitutes(const Name& head) const;

private:
    Result<void> enter(Element node, const Document& document);

    std::deque<Document> documents_;
    std::map<Name, Component> of_[5];
    std::multimap<Name, Name> substitutes_;  // head, member
};

/// What a name in an attribute or in text stands for at `at`: a prefix is looked up in its scope.
Result<Name> nameAt(const Component& at, std::string_view text);
/// "stock.xsd:12: text"
Error problemAt(const Component& at, const std::string& text);
/// Of the schema's language.
bool isSchemaElement(Element element, std::string_view local);
/// The attribute of that name, "" when there is none.
std::string_view attributeOf(Element element, std::string_view name);
/// Whether an attribute holds xs:boolean's true.
bool isTrue(Element element, std::string_view name);

}  // namespace postbus::xsd
