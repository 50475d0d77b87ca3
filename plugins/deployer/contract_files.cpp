#include "plugins/deployer/contract_files.hpp"

#include "formats/wsdl/documents.hpp"
#include "security/crypto/sha256.hpp"

namespace postbus::deployer {
namespace {

constexpr std::size_t maxDocument = std::size_t{16} << 20;

}  // namespace

std::string ContractFiles::hash() const {
    if (document.empty()) return {};
    std::string all = crypto::sha256(document);
    for (const auto& [name, text] : others) all += name + crypto::sha256(text);
    return others.empty() ? all : crypto::sha256(all);
}

Result<ContractFiles> readContract(const std::string& folder, const std::string& stem,
                                   const std::map<std::string, Signature>& there) {
    ContractFiles read;
    const std::string inFolder = folder + '/';
    const std::string main = stem + ".wsdl";
    std::vector<std::string> wanted;
    if (there.count(main)) wanted.push_back(main);
    while (!wanted.empty()) {
        const std::string name = std::move(wanted.back());
        wanted.pop_back();
        if (read.others.count(name) || (name == main && !read.document.empty())) continue;
        const auto found = there.find(name);
        if (found == there.end()) {
            read.missing.push_back(name);
            continue;
        }
        auto text = readSettled(inFolder + name, found->second, maxDocument);
        if (!text) return std::move(text).error().in(name);
        for (std::string& each : wsdl::references(name, *text)) wanted.push_back(std::move(each));
        (name == main ? read.document : read.others[name]) = std::move(*text);
    }
    return read;
}

}  // namespace postbus::deployer
