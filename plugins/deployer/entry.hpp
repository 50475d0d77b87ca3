#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "plugins/deployer/cache.hpp"
#include "plugins/deployer/contract_files.hpp"
#include "plugins/deployer/deployer.hpp"
#include "plugins/deployer/folder.hpp"

namespace postbus::deployer {

/// No plugin file is larger.
inline constexpr std::size_t maxPlugin = std::size_t{1} << 30;

/// A plugin as it was found fit: what of a file counts once its bytes have been looked at.
struct Content {
    std::string hash;  ///< of the .so
    std::string key;   ///< of the .so and the documents that belong to it
    ContractFiles contract;
    Identity identity;
    std::string copy;  ///< in the cache
};

/// A plugin file, in deploy/ or bundled.
struct Entry {
    std::string file, path, stem;
    bool bundled = false;

    // What lies there.
    std::vector<Signature> signature;            ///< of the .so, then of `documents`
    std::map<std::string, Signature> documents;  ///< of the folder, when one of them is the plugin's contract
    TimePoint seenLike;                          ///< since when the signature is that
    bool looked = false;                         ///< whether these bytes are known, fit or not
    std::optional<TimePoint> gone;               ///< since when nothing lies there
    std::optional<Content> content;              ///< the last that was fit
    std::string fault, faultKey;                 ///< what is wrong with the bytes there now, if something is
    std::string waiting;  ///< why they could not be looked at yet, if it is not for the quiet period
    /// A plugin that is being tried out: its bytes, and where the copy of them lies.
    struct Trial {
        std::string hash, copy;
    };
    std::optional<Trial> trial;

    // What became of `content`.
    PluginState standing = PluginState::Pending;
    std::string reason;
    std::string turnedDown;          ///< key of the content that could not be put to service
    std::uint64_t turnedDownAt = 0;  ///< in which epoch; 0: it never can
    std::string told;                ///< content and reason of the last refusal in the log

    bool fit() const { return content && looked && fault.empty(); }
    bool turnedDownIn(std::uint64_t epoch) const {
        return content && turnedDown == content->key && (turnedDownAt == 0 || turnedDownAt == epoch);
    }
};

}  // namespace postbus::deployer
