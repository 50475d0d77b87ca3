#include "plugins/deployer/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include "plugins/deployer/whole_file.hpp"

namespace postbus::deployer {
namespace {

namespace fs = std::filesystem;

// Changes when what the probe checks changes: then all is probed again.
constexpr std::string_view marker = "probed-1";
constexpr std::size_t maxMarker = 4096;

[[noreturn]] void unusable(const std::string& directory, const std::string& why) {
    throw std::runtime_error("plugin cache " + directory + ": " + why);
}

Error failed(const char* what) {
    // Nothing is wrong with the plugin, and it may pass.
    return {Error::Kind::Unavailable, std::string("the plugin cache ") + what + ": " + std::strerror(errno)};
}

// The stem in a path of ours: whatever the dropped file was called.
std::string harmless(std::string_view stem) {
    std::string name;
    for (const char c : stem.substr(0, 100)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        name += letter || c == '-' || c == '_' || c == '.' ? c : '_';
    }
    return name;
}

}  // namespace

void Cache::prepare() {
    std::error_code problem;
    if (fs::path(directory_).has_parent_path()) fs::create_directories(fs::path(directory_).parent_path(), problem);
    if (mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
        unusable(directory_, std::string("can't be made: ") + std::strerror(errno));

    const std::unique_ptr<char, void (*)(void*)> absolute(realpath(directory_.c_str(), nullptr), std::free);
    struct stat status {};
    if (!absolute || stat(absolute.get(), &status) != 0)
        unusable(directory_, std::string("can't be looked at: ") + std::strerror(errno));
    directory_ = absolute.get();
    if (!S_ISDIR(status.st_mode)) unusable(directory_, "is no directory");
    if (status.st_uid != geteuid() && status.st_uid != 0)
        unusable(directory_, "belongs to user " + std::to_string(status.st_uid) +
                                 ", who could change the code that runs; give it to the bus's user (chown)");
    if ((status.st_mode & 077) != 0 && chmod(directory_.c_str(), 0700) != 0)
        unusable(directory_, "is open to others and can't be closed: chmod 700 it");
    struct statvfs system {};
    if (statvfs(directory_.c_str(), &system) == 0 && (system.f_flag & ST_NOEXEC))
        unusable(directory_,
                 "lies on a file system mounted noexec, from which no plugin can be loaded; mount it "
                 "otherwise or move the state directory");
    if (access(directory_.c_str(), W_OK | X_OK) != 0)
        unusable(directory_, "can't be written to; give the bus's user the right");
}

Result<std::string> Cache::store(const std::string& hash, std::string_view stem, std::string_view bytes,
                                 const std::set<std::string>& inUse) const {
    const std::string folder = folderOf(hash), name = harmless(stem);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failed("can't make a folder");
    const std::string base = folder + '/' + name;
    std::string path = base + ".so";
    for (int i = 2; inUse.count(path); ++i) (((path = base) += '-') += std::to_string(i)) += ".so";
    if (!writeWhole(path, bytes, 0500)) return failed("can't take a copy");
    utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);  // for prune()
    return path;
}

Result<std::string> Cache::storeAgain(const std::string& hash, std::string_view stem, const std::string& copy,
                                      const std::set<std::string>& inUse) const {
    const auto bytes = readWhole(copy, std::size_t{1} << 32);
    if (!bytes) return failed("has lost a copy");
    return store(hash, stem, *bytes, inUse);
}

void Cache::remember(const std::string& hash, const Identity& identity) const {
    const std::string text = identity.plugin + '\n' + identity.version + '\n';
    // Without the mark the content is probed again: nothing to report.
    (void)writeWhole(folderOf(hash) + '/' + std::string(marker), text, 0600);
}

std::optional<Identity> Cache::recall(const std::string& hash) const {
    const auto text = readWhole(folderOf(hash) + '/' + std::string(marker), maxMarker);
    if (!text) return std::nullopt;
    const std::size_t first = text->find('\n');
    const std::size_t second = first == std::string::npos ? first : text->find('\n', first + 1);
    if (first == 0 || second == std::string::npos || second + 1 != text->size()) return std::nullopt;
    return Identity{text->substr(0, first), text->substr(first + 1, second - first - 1)};
}

void Cache::prune(std::size_t count, const std::set<std::string>& inUse) const {
    std::vector<std::pair<fs::file_time_type, fs::path>> unused;
    std::error_code problem;
    for (const auto& each : fs::directory_iterator(directory_, problem)) {
        const std::string folder = each.path().string();
        const auto first = inUse.lower_bound(folder + '/');
        const bool used = first != inUse.end() && first->compare(0, folder.size() + 1, folder + '/') == 0;
        // Only what store() makes: whatever else someone put here is theirs.
        if (!used && each.path().filename().string().size() == 64 && each.is_directory(problem))
            unused.emplace_back(each.last_write_time(problem), each.path());
    }
    if (unused.size() <= count) return;
    std::sort(unused.begin(), unused.end(), std::greater<>());
    for (auto each = unused.begin() + static_cast<std::ptrdiff_t>(count); each != unused.end(); ++each)
        fs::remove_all(each->second, problem);
}

}  // namespace postbus::deployer
