#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace postbus::elf {

/// A shared library's bytes, read with every offset checked: the file may be hostile, cut off or no library at all.
///
/// Borrows the bytes. Immutable after open().
class Image {
public:
    /// The error says what is wrong with the file, in words for its owner.
    static Result<Image> open(std::string_view bytes);

    const Elf64_Ehdr& header() const { return header_; }
    const std::vector<Elf64_Phdr>& segments() const { return segments_; }
    const Elf64_Phdr* segment(std::uint32_t type) const;

    /// The first value of a tag of the dynamic section.
    std::optional<std::uint64_t> dynamic(std::int64_t tag) const;
    /// A string of the dynamic string table; none when it lies outside.
    std::optional<std::string_view> string(std::uint64_t offset) const;

    struct Symbol {
        std::string_view name;
        Elf64_Sym entry;
        bool defined() const { return entry.st_shndx != SHN_UNDEF; }
        unsigned binding() const { return ELF64_ST_BIND(entry.st_info); }
        unsigned type() const { return ELF64_ST_TYPE(entry.st_info); }
        unsigned visibility() const { return ELF64_ST_VISIBILITY(entry.st_other); }
    };
    /// Symbol 0, which stands for none, is left out.
    std::size_t symbolCount() const { return symbolCount_; }
    std::optional<Symbol> symbol(std::size_t index) const;

    /// Whether an address of the loaded library lies in a segment with these PF_ flags.
    bool within(std::uint64_t address, std::uint32_t flags) const;

private:
    explicit Image(std::string_view bytes) : bytes_(bytes) {}
    Result<void> readHeader();
    Result<void> readSegments();
    Result<void> readSections() const;
    Result<void> readDynamic();
    Result<void> findSymbols();
    std::optional<std::uint64_t> countByHash(std::uint64_t address) const;
    std::optional<std::uint64_t> countByGnuHash(std::uint64_t address) const;

    bool inside(std::uint64_t offset, std::uint64_t length) const {
        return length <= bytes_.size() && offset <= bytes_.size() - length;
    }
    template <class T>
    bool read(std::uint64_t offset, T& out) const {
        if (!inside(offset, sizeof(T))) return false;
        std::memcpy(&out, bytes_.data() + offset, sizeof(T));
        return true;
    }
    /// Where in the file an address of the loaded library comes from, if `length` bytes of it do.
    std::optional<std::uint64_t> fileOffset(std::uint64_t address, std::uint64_t length) const;

    std::string_view bytes_;
    Elf64_Ehdr header_{};
    std::vector<Elf64_Phdr> segments_;
    std::vector<Elf64_Dyn> dynamic_;
    std::string_view strings_;
    std::uint64_t symbols_ = 0;  // offset in the file
    std::size_t symbolCount_ = 0;
};

}  // namespace postbus::elf
