#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace postbus::deployer {

/// What tells one state of a file from another without reading it. Through a symbolic link it is the target's, with the
/// link's own last change.
struct Signature {
    dev_t device = 0;
    ino_t inode = 0;
    mode_t mode = 0;
    std::int64_t size = 0, modified = 0, changed = 0;  ///< nanoseconds since 1970
    std::int64_t linkChanged = 0;

    bool operator==(const Signature&) const = default;
    /// The later of the file's and the link's change.
    std::int64_t lastChange() const { return changed > linkChanged ? changed : linkChanged; }
};

/// What a name in a deploy folder stands for.
enum class FileKind {
    Plugin,    ///< NAME.so
    Document,  ///< NAME.wsdl, NAME.xsd: belongs to the plugin beside it
    Disabled,  ///< NAME.disabled: hides the plugin NAME.so
    Failed,    ///< NAME.failed: says why the plugin NAME.so was not taken; ours
    Ignored    ///< anything else; begun files (.x, x.tmp, x~, x.part) among them
};
FileKind kindOf(std::string_view fileName);
/// NAME of NAME.so.
std::string_view stemOf(std::string_view fileName);

/// The files of a folder that matter, by name.
struct Listing {
    std::map<std::string, Signature> plugins, documents;
    std::set<std::string> disabled, failed;  ///< stems
    std::set<std::string> ignored;           ///< whole names
};
/// Follows symbolic links; a link to nothing counts as not there. The error is the folder's own.
Result<Listing> list(const std::string& folder);

/// Whether nothing has changed the file for `quiet`, by its own time stamps; for clocks that disagree (network file
/// systems, a clock set back), by how long we have seen it like that.
bool settled(const Signature& file, milliseconds quiet, milliseconds seenLike);
/// How long it will take at least until settled() may be true.
milliseconds untilSettled(const Signature& file, milliseconds quiet, milliseconds seenLike);

/// The whole content of a file that nobody is writing. Unavailable: someone has it open for writing, it changed while
/// it was read or is gone: look again. Any other error is one to tell.
Result<std::string> readSettled(const std::string& path, const Signature& expected, std::size_t maxSize);

}  // namespace postbus::deployer
