#pragma once

#include <postbus/element.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace postbus::xsd {

/// The documents that make up a schema, each by the name that the others' schemaLocations lead to ("types.xsd",
/// "common/types.xsd"), relative to one folder.
struct SchemaDocuments {
    struct Document {
        std::string targetNamespace, text;
    };
    std::map<std::string, Document, std::less<>> all;
    /// Names of those whose elements may be roots, in order. The others are there for whoever imports or includes them.
    std::vector<std::string> roots;
};

/// What a document does against its schema.
struct Violation {
    std::uint32_t line = 0;  ///< 0 where it is not known
    std::string element;     ///< "{uri}local"
    std::string rule;        ///< of XML Schema 1.0, as "cvc-complex-type.2.4"; empty where there is no name for it
    std::string message;

    /// All of it, for a person to read.
    std::string text() const;
};

/// A compiled XML Schema 1.0. Immutable; used by many threads at once.
///
/// Nothing is read but the documents that are given: a reference to anything else is an error of the schema, whatever
/// it names.
class Validator {
public:
    /// Invalid, with what is wrong and where, when the documents are no schema.
    static Result<std::shared_ptr<const Validator>> compile(const SchemaDocuments& documents);
    ~Validator();
    Validator(const Validator&) = delete;
    Validator& operator=(const Validator&) = delete;

    /// What speaks against an element and all it contains, the first few of it; empty: it is valid. One that has no
    /// declaration is invalid.
    std::vector<Violation> check(Element element) const;

private:
    struct Compiled;
    explicit Validator(std::unique_ptr<Compiled> compiled);
    const std::unique_ptr<Compiled> compiled_;
};

}  // namespace postbus::xsd
