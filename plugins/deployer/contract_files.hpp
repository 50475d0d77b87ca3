#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "plugins/deployer/folder.hpp"

namespace postbus::deployer {

/// The contract that lies beside a plugin: NAME.wsdl, and the schemas and WSDLs of the same folder that it refers to.
struct ContractFiles {
    std::string document;                                    ///< empty: there is none
    std::map<std::string, std::string, std::less<>> others;  ///< by file name
    std::vector<std::string> missing;                        ///< referred to, and not there

    /// Changes with the content of any of them; empty when there is none.
    std::string hash() const;
};

/// Reads the contract of the plugin `stem`. `there` are the documents of the folder; no file but these is opened.
/// Errors as of readSettled(), with the file's name.
Result<ContractFiles> readContract(const std::string& folder, const std::string& stem,
                                   const std::map<std::string, Signature>& there);

}  // namespace postbus::deployer
