#pragma once

#include <libxml/xmlschemas.h>
#include <postbus/element.hpp>

#include <memory>
#include <string>
#include <vector>

#include "formats/xsd/validator.hpp"

namespace postbus::xsd {

/// One document's way through libxml2's validator, event by event from the tape: no tree is built, nothing is written
/// or parsed. Private to formats/xsd.
class ValidationRun {
public:
    ValidationRun(xmlSchemaPtr schema, Element root);
    std::vector<Violation> violations();

private:
    /// A name as libxml2 wants it: ended by zero, null for none.
    struct Name {
        const xmlChar *local, *uri, *prefix;
    };

    static void onError(void* run, xmlErrorPtr error);
    void readNames();
    const Name& nameOf(const postbus_node& node) const { return names_[node.name]; }
    void start(Element element, bool isRoot);
    void end(Element element);
    void addScope(Element element);
    void addAttributes(Element element);

    xmlSchemaPtr schema_;
    const Element root_;
    const postbus_tape& tape_;
    std::string memory_;  // of the names; never grows once they are read
    std::vector<Name> names_;

    xmlSAXHandlerPtr sax_ = nullptr;
    void* context_ = nullptr;
    Element at_;  // for errors
    std::vector<const xmlChar*> namespaces_, attributes_;
    std::vector<std::unique_ptr<std::string>> values_;  // of this element's attributes
    std::vector<std::string_view> seen_;
    std::vector<Violation> found_;
};

}  // namespace postbus::xsd
