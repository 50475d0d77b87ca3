#pragma once

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "plugins/elf/inspect.hpp"

namespace postbus::test {

inline std::string fileBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
inline std::string plugin(const std::string& name) {
    std::string bytes = fileBytes(std::string(POSTBUS_TEST_PLUGINS) + '/' + name + ".so");
    BOOST_REQUIRE_MESSAGE(!bytes.empty(), name << " was not built");
    return bytes;
}

/// Changes a shared library's bytes the way a linker with other flags would have written them.
struct Patch {
    explicit Patch(std::string from) : bytes(std::move(from)) {}

    template <class T>
    T get(std::size_t at) const {
        T value;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    }
    template <class T>
    void put(std::size_t at, const T& value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    Elf64_Ehdr header() const { return get<Elf64_Ehdr>(0); }
    std::size_t segment(std::uint32_t type) const {
        for (unsigned i = 0; i < header().e_phnum; ++i) {
            const std::size_t at = header().e_phoff + i * sizeof(Elf64_Phdr);
            if (get<Elf64_Phdr>(at).p_type == type) return at;
        }
        return 0;
    }
    /// Where the entry with this tag stands; 0 if there is none.
    std::size_t dynamic(std::int64_t tag) const {
        const auto section = get<Elf64_Phdr>(segment(PT_DYNAMIC));
        for (std::size_t at = section.p_offset; at < section.p_offset + section.p_filesz; at += sizeof(Elf64_Dyn))
            if (get<Elf64_Dyn>(at).d_tag == tag) return at;
        return 0;
    }
    void setDynamic(std::int64_t tag, std::int64_t newTag, std::uint64_t value) {
        Elf64_Dyn entry{};
        entry.d_tag = newTag;
        entry.d_un.d_val = value;
        put(dynamic(tag), entry);
    }

    std::string bytes;
};

/// What is said against these bytes, or nothing.
inline std::string verdict(const std::string& bytes) {
    const auto report = elf::inspect(bytes, "postbus_plugin_entry_v1");
    return report ? "" : report.error().message();
}

}  // namespace postbus::test
