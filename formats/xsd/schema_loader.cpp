#include "formats/xsd/schema_loader.hpp"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <mutex>

namespace postbus::xsd {
namespace {

thread_local SchemaLoading* current = nullptr;
xmlExternalEntityLoader others = nullptr;

xmlParserInputPtr load(const char* url, const char* id, xmlParserCtxtPtr context) {
    if (!current) return others(url, id, context);
    const std::string_view wanted = url ? url : "";
    const auto& all = current->documents().all;
    const auto found = wanted.starts_with(schemaFolder) ? all.find(wanted.substr(schemaFolder.size())) : all.end();
    if (found == all.end()) {
        current->miss(wanted);
        return nullptr;
    }
    const std::string& text = found->second.text;
    xmlParserInputBufferPtr buffer =
        xmlParserInputBufferCreateMem(text.data(), static_cast<int>(text.size()), XML_CHAR_ENCODING_NONE);
    xmlParserInputPtr input = buffer ? xmlNewIOInputStream(context, buffer, XML_CHAR_ENCODING_NONE) : nullptr;
    if (input)
        input->filename = reinterpret_cast<const char*>(xmlStrdup(reinterpret_cast<const xmlChar*>(url)));
    else if (buffer)
        xmlFreeParserInputBuffer(buffer);
    return input;
}

}  // namespace

SchemaLoading::SchemaLoading(const SchemaDocuments& documents) : documents_(documents) {
    static std::once_flag installed;
    std::call_once(installed, [] {
        others = xmlGetExternalEntityLoader();
        xmlSetExternalEntityLoader(load);
    });
    current = this;
}

SchemaLoading::~SchemaLoading() { current = nullptr; }

void SchemaLoading::miss(std::string_view url) {
    if (!missing_.empty()) return;
    if (url.starts_with(schemaFolder)) url.remove_prefix(schemaFolder.size());
    missing_ = url;
}

}  // namespace postbus::xsd
