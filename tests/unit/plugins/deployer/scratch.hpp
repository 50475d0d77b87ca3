#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace postbus::test {

namespace fs = std::filesystem;

/// A folder of its own that goes with it.
class Scratch {
public:
    Scratch() {
        std::string pattern = (fs::temp_directory_path() / "postbus-unit-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~Scratch() { fs::remove_all(path_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + '/' + name; }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
    }
    static std::string read(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    std::string path_;
};

/// A plugin that was built for tests.
inline std::string testPlugin(const std::string& name) {
    return std::string(POSTBUS_TEST_PLUGINS) + '/' + name + ".so";
}

}  // namespace postbus::test
