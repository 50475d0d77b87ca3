#include "formats/xsd/validator.hpp"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlschemastypes.h>

#include <mutex>
#include <utility>

#include "formats/xsd/rules.hpp"
#include "formats/xsd/schema_loader.hpp"
#include "formats/xsd/text.hpp"
#include "formats/xsd/validation_run.hpp"

namespace postbus::xsd {
namespace {

std::string trimmedMessage(const xmlError* error) {
    std::string text = error->message ? error->message : "it is not valid";
    while (!text.empty() && (text.back() == '\n' || text.back() == '.' || text.back() == ' ')) text.pop_back();
    return legalText(text);
}

void onSchemaError(void* first, xmlErrorPtr error) {
    auto& text = *static_cast<std::string*>(first);
    if (error->level < XML_ERR_ERROR || !text.empty()) return;
    std::string_view file = error->file ? error->file : "";
    if (file.starts_with(schemaFolder)) file.remove_prefix(schemaFolder.size());
    if (!file.empty()) text.append(file).append(":").append(std::to_string(error->line)).append(": ");
    text += trimmedMessage(error);
}

/// An xs:import for each namespace; of several documents that share one, one that includes them all.
std::string driverOf(SchemaDocuments& documents) {
    std::map<std::string, std::vector<std::string>> byNamespace;
    std::vector<std::string> order;
    for (const std::string& name : documents.roots) {
        auto& names = byNamespace[documents.all.at(name).targetNamespace];
        if (names.empty()) order.push_back(documents.all.at(name).targetNamespace);
        names.push_back(name);
    }
    const std::string start = R"(<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace=")";
    const auto located = [](const std::string& name) {
        std::string attribute = " schemaLocation=\"" + std::string(schemaFolder);
        appendAttribute(attribute, name);
        return attribute += "\"/>";
    };
    std::string driver = start + "urn:postbus:all-schemas\">";
    for (const std::string& ns : order) {
        std::string location = byNamespace[ns].front();
        if (byNamespace[ns].size() > 1) {
            location = "all-of-" + std::to_string(documents.all.size());
            std::string all = start;
            appendAttribute(all, ns);
            all += "\">";
            if (ns.empty()) all = "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">";
            for (const std::string& name : byNamespace[ns]) all += "<xs:include" + located(name);
            documents.all[location] = {ns, all + "</xs:schema>"};
        }
        driver += "<xs:import";
        if (!ns.empty()) {
            driver += " namespace=\"";
            appendAttribute(driver, ns);
            driver += '"';
        }
        driver += located(location);
    }
    return driver + "</xs:schema>";
}

struct FreeParser {
    void operator()(xmlSchemaParserCtxt* context) const { xmlSchemaFreeParserCtxt(context); }
};

}  // namespace

struct Validator::Compiled {
    xmlSchemaPtr schema = nullptr;
    ~Compiled() { xmlSchemaFree(schema); }
};

std::string Violation::text() const {
    std::string all;
    if (line) all += "line " + std::to_string(line) + ", ";
    all += "element " + element + ": ";
    all += message;
    if (!rule.empty()) all += " (" + rule + ")";
    return all;
}

Validator::Validator(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Validator::~Validator() = default;

Result<std::shared_ptr<const Validator>> Validator::compile(const SchemaDocuments& given) {
    static std::once_flag begun;
    std::call_once(begun, [] {
        xmlInitParser();
        xmlSchemaInitTypes();
    });
    SchemaDocuments documents = given;
    const std::string driver = driverOf(documents);
    SchemaLoading loading(documents);
    std::string problem;
    const std::unique_ptr<xmlSchemaParserCtxt, FreeParser> parser(
        xmlSchemaNewMemParserCtxt(driver.data(), static_cast<int>(driver.size())));
    if (!parser) return Error::internal("there is no memory for the schema");
    xmlSchemaSetParserStructuredErrors(parser.get(), onSchemaError, &problem);
    auto compiled = std::make_unique<Compiled>();
    compiled->schema = xmlSchemaParse(parser.get());
    if (!loading.missing().empty())
        return Error::invalid("the schema refers to '" + legalText(loading.missing()) + "', which the contract lacks");
    if (!compiled->schema || !problem.empty())
        return Error::invalid("the schema is not valid: " + (problem.empty() ? "it can't be read" : problem));
    return std::shared_ptr<const Validator>(new Validator(std::move(compiled)));
}

std::vector<Violation> Validator::check(Element element) const {
    return ValidationRun(compiled_->schema, element).violations();
}

}  // namespace postbus::xsd
