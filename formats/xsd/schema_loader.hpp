#pragma once

#include <string>
#include <string_view>

#include "formats/xsd/validator.hpp"

namespace postbus::xsd {

/// Where documents stand, for libxml2: names are resolved below it.
inline constexpr std::string_view schemaFolder = "postbus:///schemas/";

/// While it lives, whatever libxml2 wants to read on this thread comes out of these documents, and nothing else is
/// read. Other threads, and other users of libxml2 in the process, are not touched.
class SchemaLoading {
public:
    explicit SchemaLoading(const SchemaDocuments& documents);
    ~SchemaLoading();
    SchemaLoading(const SchemaLoading&) = delete;
    SchemaLoading& operator=(const SchemaLoading&) = delete;

    const SchemaDocuments& documents() const { return documents_; }
    /// The first reference that led nowhere, as it was resolved; empty: there was none.
    const std::string& missing() const { return missing_; }
    void miss(std::string_view url);

private:
    const SchemaDocuments& documents_;
    std::string missing_;
};

}  // namespace postbus::xsd
