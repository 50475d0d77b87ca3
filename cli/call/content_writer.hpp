#pragma once

#include <string>
#include <vector>

#include "cli/call/given.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::cli {

class Supply;

/// The request's elements as XML: what was given, in the order and the namespaces of the schema, with default and fixed
/// values where something required was not given, and xsi:nil where that may be. `root` is a GivenTree's. The error
/// names all required values that are missing, or what there is no room for.
Result<std::string> writePayload(const Given& root);

/// Writes one request; what writePayload() is made of.
class ContentWriter {
public:
    /// `within`: keys begin inside of the request's only element.
    explicit ContentWriter(bool within) : path_(within ? 0 : 1) {}
    Result<std::string> write(const Given& root);

private:
    void element(const xsd::ElementDeclaration& declaration, const Given* given);
    void writeType(const xsd::Type& type);
    void attributes(const xsd::Type& type, const Given* given);
    void content(const xsd::ElementDeclaration& declaration, const xsd::Type& type, const Given* given);
    void group(const xsd::Particle& particle, Supply& supply);
    void choice(const xsd::Particle& particle, Supply& supply);
    void occurrences(const xsd::Particle& particle, Supply& supply);
    static bool mayBeEmpty(const xsd::Particle& particle);

    std::string path(const std::string& last) const;
    void miss(const std::string& what);
    void missValue();
    void fail(const std::string& what);
    Error missingError() const;

    xml::Writer writer_;
    std::vector<std::string> path_;  ///< names of the open elements; the first is not a part of keys
    std::vector<std::string> missing_;
    std::string problem_;
    std::size_t written_ = 0;
};

}  // namespace postbus::cli
