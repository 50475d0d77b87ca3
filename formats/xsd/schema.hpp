#pragma once

#include <postbus/abi.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/xsd/markup.hpp"

namespace postbus::xsd {

/// The XML Schema of one target namespace, made from the descriptions of types that plugins give (<postbus/abi.h>).
///
/// Each element gets a complex type of its own name, as JAX-WS writes wrappers; what it refers to follows as named
/// types, each once, recursive ones included. The same type described twice is one type. Descriptions are borrowed.
class Schema {
public:
    /// A global element, once for each name; a null type describes nothing: the element takes any content.
    void element(std::string_view name, const postbus_type* type);

    /// What is wrong with the descriptions, for the plugin's author to read. Only a schema without problems may be
    /// written.
    const std::vector<std::string>& problems() const { return problems_; }

    /// As xs:schema, children unqualified; the prefixes xs and tns must be declared around it.
    void write(Markup& out, std::string_view targetNamespace) const;

private:
    struct Named {
        std::string name;
        const postbus_type* type;
    };

    void add(const std::string& name, const postbus_type* type);
    void checkStruct(const std::string& name, const postbus_type& type);
    void checkEnum(const std::string& name, const postbus_type& type);
    void checkField(const std::string& owner, const postbus_field& field);
    void problem(std::string text) { problems_.push_back(std::move(text)); }

    std::vector<std::string> elements_;
    std::vector<Named> types_;  // in order of appearance
    std::map<std::string, std::size_t, std::less<>> byName_;
    std::vector<std::string> problems_;
};

}  // namespace postbus::xsd
