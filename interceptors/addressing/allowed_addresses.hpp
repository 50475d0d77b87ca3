#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace postbus::addressing {

/// Where answers may be sent to: nothing that a message names is ever called without being in here, so that nobody can
/// have the bus call others for him.
///
/// A pattern is an address, or one that ends in '*', which stands for any end: "http://10.0.0.5:9000/answers/*",
/// "jms:queue:answers", "jms:queue:answers.*". Immutable.
class AllowedAddresses {
public:
    /// Patterns that checkPattern() has found good.
    explicit AllowedAddresses(std::vector<std::string> patterns);

    /// Whether an answer may go there. An address that can be read in two ways never may: with a user name, with "." or
    /// ".." segments, with escaped slashes or dots.
    bool has(std::string_view address) const;
    bool empty() const { return patterns_.empty(); }

    /// Why a pattern is none, for the writer of a configuration.
    static Result<void> checkPattern(std::string_view pattern);

private:
    std::vector<std::string> patterns_;  // scheme and host in small letters
};

}  // namespace postbus::addressing
