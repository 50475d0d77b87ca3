#include "cli/plugin_flags.hpp"

#include <filesystem>

namespace postbus::cli {

Result<std::string> pluginFlags() {
    namespace fs = std::filesystem;
    std::error_code problem;
    const fs::path prefix = fs::read_symlink("/proc/self/exe", problem).parent_path().parent_path();
    const fs::path include = prefix / "include", map = prefix / "lib" / "cmake" / "PostbusPlugin" / "plugin.map";
    for (const fs::path& each : {include / "postbus" / "plugin.hpp", map})
        if (!fs::exists(each, problem))
            return Error(Error::Kind::NotFound,
                         "the SDK is not beside this program: there is no " + each.string() +
                             "; install it there (cmake --install BUILD --component sdk --prefix " + prefix.string() +
                             ")");
    // The map alone already hides what would keep old code in memory (STB_GNU_UNIQUE), with any compiler.
    return "-std=c++20 -O2 -fPIC -shared -fvisibility=hidden -I" + include.string() +
           " -Wl,--version-script=" + map.string() + " -Wl,--exclude-libs,ALL -Wl,-z,defs -Wl,-z,now";
}

}  // namespace postbus::cli
