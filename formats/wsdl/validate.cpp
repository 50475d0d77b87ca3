#include <algorithm>
#include <set>
#include <string>

#include "formats/wsdl/contract.hpp"
#include "formats/xml/chars.hpp"
#include "formats/xml/parse.hpp"
#include "formats/xsd/schema.hpp"
#include "formats/xsd/text.hpp"

namespace postbus::wsdl {
namespace {

bool hasOutput(const Operation& operation) {
    return operation.mep == POSTBUS_MEP_IN_OUT || operation.mep == POSTBUS_MEP_IN_OPTIONAL_OUT;
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

/// The encoding an XML declaration gives, empty when there is none.
std::string_view declaredEncoding(std::string_view document) {
    const std::string_view declaration = document.substr(0, document.find("?>"));
    if (declaration.find("<?xml") == std::string_view::npos) return {};
    std::size_t at = declaration.find("encoding");
    if (at == std::string_view::npos) return {};
    at = declaration.find_first_of("\"'", at);
    if (at == std::string_view::npos) return {};
    return declaration.substr(at + 1, declaration.find(declaration[at], at + 1) - at - 1);
}

bool isUtf8Name(std::string_view encoding) {
    std::string lower(encoding);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return lower.empty() || lower == "utf-8" || lower == "us-ascii";
}

class Check {
public:
    explicit Check(const Contract& contract) : contract_(contract) {}

    Result<void> run() {
        names();
        for (const Operation& each : contract_.operations) operation(each);
        if (contract_.document.empty())
            types();
        else
            document("the contract", contract_.document);
        for (const auto& [name, text] : contract_.documents) document(quoted(name), text);
        if (problems_.empty()) return ok();
        return Error::invalid(problems_);
    }

private:
    void problem(const std::string& text) {
        if (!problems_.empty()) problems_ += "; ";
        problems_ += text;
    }

    void names() {
        if (!xml::isNcName(contract_.name))
            problem("service name " + quoted(contract_.name) + ": not an XML name without a colon");
        if (!contract_.implementation.empty() && !xml::isNcName(contract_.implementation))
            problem("implementation name " + quoted(contract_.implementation) + ": not an XML name without a colon");
        if (contract_.ns.empty()) problem("the service has no target namespace");
        if (contract_.ns != xsd::legalText(contract_.ns) || contract_.ns.find_first_of(" \t\r\n") != std::string::npos)
            problem("the target namespace holds characters that a URI can't");
    }

    void operation(const Operation& its) {
        const std::string place = "operation " + quoted(its.name) + ": ";
        if (!xml::isNcName(its.name)) problem(place + "not an XML name without a colon");
        if (!names_.insert(its.name).second) problem(place + "defined twice");
        if (its.mep < POSTBUS_MEP_IN_ONLY || its.mep > POSTBUS_MEP_IN_OPTIONAL_OUT)
            problem(place + "its message exchange pattern is not known to this bus");
        if (its.any) {
            if (any_) problem(place + "a second one that takes any element");
            any_ = true;
            return;
        }
        if (hasOutput(its) && !messages_.insert(its.name + "Response").second)
            problem(place + "its answer has the name of another message");
        if (!messages_.insert(its.name).second) problem(place + "another message has its name");
        if (its.inElement.empty() && its.soapAction.empty())
            problem(place + "neither an element nor a SOAPAction would name it in a message");
        if (!its.inElement.empty() && !elements_.insert(its.inElement).second)
            problem(place + "element " + quoted(its.inElement) + " names another operation already");
        if (!hasOutput(its) && (its.out || !its.outElement.empty()))
            problem(place + "has an answer, which its in-only pattern has no place for");
        if (hasOutput(its) && its.outElement.empty())
            problem(place + "names no element for its answer; declare it in-only if it has none");
    }

    void types() {
        xsd::Schema schema;
        for (const Operation& each : contract_.operations) {
            if (each.any) continue;
            if (!each.inElement.empty()) schema.element(each.inElement, each.in);
            if (hasOutput(each) && !each.outElement.empty()) schema.element(each.outElement, each.out);
        }
        for (const std::string& each : schema.problems()) problem(each);
    }

    void document(const std::string& what, std::string_view text) {
        const std::string_view encoding = declaredEncoding(text);
        if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE") || !isUtf8Name(encoding))
            return problem(what + ": documents are served in UTF-8; save it in that encoding");
        xml::Tape tape;
        if (auto parsed = xml::parse(text, "utf-8", xml::Limits{}, tape); !parsed)
            problem(what + ": " + parsed.error().message());
    }

    const Contract& contract_;
    std::string problems_;
    std::set<std::string_view> names_, elements_;
    std::set<std::string> messages_;
    bool any_ = false;
};

}  // namespace

Result<void> validate(const Contract& contract) { return Check(contract).run(); }

}  // namespace postbus::wsdl
