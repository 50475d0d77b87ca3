#include "formats/wsdl/documents.hpp"

#include <vector>

#include "formats/wsdl/write.hpp"

namespace postbus::wsdl {
namespace {

/// "common/../types.xsd", seen from the folder of `from`, as the name that the contract knows it by; empty when it
/// leads outside.
std::string resolve(std::string_view from, std::string_view location) {
    const std::size_t slash = from.rfind('/');
    std::string path;
    if (slash != std::string_view::npos) path = from.substr(0, slash + 1);
    path += location;

    std::vector<std::string_view> segments;
    for (std::string_view rest = path; !rest.empty();) {
        const std::string_view segment = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(rest.size(), segment.size() + 1));
        if (segment.empty() || segment == ".") continue;
        if (segment != "..")
            segments.push_back(segment);
        else if (segments.empty())
            return {};
        else
            segments.pop_back();
    }
    std::string name;
    for (const std::string_view each : segments) (name += name.empty() ? "" : "/") += each;
    return name;
}

bool isRelative(std::string_view location) {
    return !location.empty() && location.front() != '/' && location.find("://") == std::string_view::npos &&
           !location.starts_with("urn:");
}

}  // namespace

std::vector<std::string> references(std::string_view own, std::string_view document) {
    std::vector<std::string> names;
    findAddresses(document, [&](std::string_view location) {
        if (std::string name = isRelative(location) ? resolve(own, location) : std::string(); !name.empty())
            names.push_back(std::move(name));
        return std::string();
    });
    return names;
}

Documents::Documents(const Contract& contract, bool soap11, bool soap12, const AddressingPolicy& addressing) {
    const auto relocated = [&](std::string_view own, std::string_view text) {
        return findAddresses(text, [&](std::string_view location) {
            if (!isRelative(location)) return std::string();
            std::string name = resolve(own, location);
            return contract.documents.contains(name) ? name : std::string();
        });
    };
    wsdl_ = relocated(
        "", contract.document.empty() ? write(contract, {soap11, soap12, "", addressing}) : contract.document);
    for (const auto& [name, text] : contract.documents) beside_.emplace(name, relocated(name, text));
}

const Template* Documents::beside(std::string_view name) const {
    const auto found = beside_.find(name);
    return found == beside_.end() ? nullptr : &found->second;
}

}  // namespace postbus::wsdl
