#pragma once

#include <postbus/element.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "formats/xsd/reader/model.hpp"

namespace postbus::xsd {

class Resolver;

/// Schemas as they were found, put together: gives what their elements and types mean.
///
/// Reads what services describe their messages with: elements and types, named and anonymous, global and local; ref,
/// form, nillable, occurrences; sequence, choice, all, groups, attribute groups, wildcards; extension and restriction;
/// substitution groups; simple types by restriction, list and union. Of facets enumerations are kept. Identity
/// constraints mean nothing here, xs:redefine is refused.
///
/// Only what is asked for is resolved, so that a fault in one corner of a schema hurts nobody who has no business
/// there; it is told in Type::problem of what can't be used. Declarations live as long as the set. What it costs is
/// bounded: nesting, and the number of parts in all. Not for several threads at once: asking resolves.
class SchemaSet {
public:
    SchemaSet();
    SchemaSet(SchemaSet&&) noexcept;
    SchemaSet& operator=(SchemaSet&&) noexcept;
    ~SchemaSet();

    /// Enters the components of an xs:schema element. `location` names the document in messages; the tape must outlive
    /// this. `includedInto`: the namespace of a schema that includes this one, taken on when it has none itself.
    /// Of components of one name the first counts.
    Result<void> add(Element schema, std::string location, std::string_view includedInto = {});
    /// Told with each reference that leads nowhere: an import that could not be read, with the reason.
    void missing(std::string_view note);

    /// A global element; NotFound names it.
    Result<const ElementDeclaration*> element(const Name& name);
    /// A global type, or one of XML Schema's own.
    Result<const Type*> type(const Name& name);
    /// The type of that local name which is `base` or derives from it; null when there is none.
    const Type* derived(const Type& base, std::string_view local);
    /// The local names of all types that derive from `base`.
    std::vector<std::string> derivedNames(const Type& base);

private:
    std::unique_ptr<Resolver> resolver_;
};

}  // namespace postbus::xsd
