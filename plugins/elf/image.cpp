#include "plugins/elf/image.hpp"

namespace postbus::elf {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half machine = EM_X86_64;
constexpr std::string_view machineName = "x86-64";
#elif defined(__aarch64__)
constexpr Elf64_Half machine = EM_AARCH64;
constexpr std::string_view machineName = "AArch64";
#else
#error "name this machine's ELF number here"
#endif

constexpr unsigned char byteOrder = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

Error cutOff(std::string what, std::uint64_t needed, std::size_t size) {
    return Error::invalid("is cut off: " + std::move(what) + " ends at byte " + std::to_string(needed) +
                          ", the file at " + std::to_string(size) + "; copy it again");
}

Error damaged(std::string what) {
    return Error::invalid("is damaged: " + std::move(what) + "; build or copy it again");
}

}  // namespace

Result<Image> Image::open(std::string_view bytes) {
    Image image(bytes);
    for (auto step : {&Image::readHeader, &Image::readSegments, &Image::readDynamic, &Image::findSymbols})
        if (auto done = (image.*step)(); !done) return std::move(done).error();
    return image;
}

Result<void> Image::readHeader() {
    if (bytes_.empty()) return Error::invalid("is empty");
    if (bytes_.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG).substr(0, bytes_.size()))
        return Error::invalid("is no shared library: it does not begin as an ELF file does");
    if (!read(0, header_)) return cutOff("the ELF header", sizeof header_, bytes_.size());
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != byteOrder ||
        header_.e_machine != machine)
        return Error::invalid("is built for another machine (ELF class " + std::to_string(header_.e_ident[EI_CLASS]) +
                              ", machine " + std::to_string(header_.e_machine) + "); this bus runs on " +
                              std::string(machineName));
    if (header_.e_ident[EI_VERSION] != EV_CURRENT || header_.e_version != EV_CURRENT)
        return damaged("unknown ELF version");
    if (header_.e_type != ET_DYN)
        return Error::invalid("is no shared library (ELF type " + std::to_string(header_.e_type) +
                              "); link it with -shared");
    return ok();
}

Result<void> Image::readSegments() {
    if (header_.e_phentsize != sizeof(Elf64_Phdr) || header_.e_phnum == 0 || header_.e_phnum == PN_XNUM)
        return damaged("it has no usable program header table");
    const std::uint64_t tableSize = std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr);
    if (!inside(header_.e_phoff, tableSize))
        return cutOff("the program header table", header_.e_phoff + tableSize, bytes_.size());

    bool loads = false;
    for (unsigned i = 0; i < header_.e_phnum; ++i) {
        Elf64_Phdr segment{};
        read(header_.e_phoff + i * sizeof segment, segment);
        if (segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC) {
            if (!inside(segment.p_offset, segment.p_filesz))
                return cutOff("segment " + std::to_string(i), segment.p_offset + segment.p_filesz, bytes_.size());
            if (segment.p_filesz > segment.p_memsz)
                return damaged("segment " + std::to_string(i) + " is larger in the file than in memory");
            if (segment.p_vaddr > UINT64_MAX - segment.p_memsz)
                return damaged("segment " + std::to_string(i) + " wraps around the address space");
            loads = loads || segment.p_type == PT_LOAD;
        }
        segments_.push_back(segment);
    }
    if (!loads) return damaged("it has nothing to load");

    return readSections();
}

// What a linker writes last: present and in order means that the end of the file has arrived.
Result<void> Image::readSections() const {
    if (header_.e_shoff == 0) return ok();
    if (header_.e_shnum != 0 && header_.e_shentsize != sizeof(Elf64_Shdr))
        return damaged("its section table has entries of an odd size");
    const std::uint64_t size = std::uint64_t{header_.e_shnum} * sizeof(Elf64_Shdr);
    if (!inside(header_.e_shoff, size)) return cutOff("the section table", header_.e_shoff + size, bytes_.size());
    if (header_.e_shstrndx == SHN_UNDEF || header_.e_shstrndx >= header_.e_shnum) return ok();
    Elf64_Shdr names{}, last{};
    read(header_.e_shoff + header_.e_shstrndx * sizeof names, names);
    read(header_.e_shoff + size - sizeof last, last);
    if (names.sh_type != SHT_STRTAB || !inside(names.sh_offset, names.sh_size) || last.sh_type == SHT_NULL)
        return damaged("its section table is not where it says, as after a copy that was broken off");
    return ok();
}

Result<void> Image::readDynamic() {
    const Elf64_Phdr* section = segment(PT_DYNAMIC);
    if (!section) return Error::invalid("has no dynamic section; link it with -shared");
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section->p_filesz; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry{};
        read(section->p_offset + at, entry);
        if (entry.d_tag == DT_NULL) return ok();
        dynamic_.push_back(entry);
    }
    return damaged("its dynamic section has no end");
}

Result<void> Image::findSymbols() {
    const auto strings = dynamic(DT_STRTAB), stringsSize = dynamic(DT_STRSZ), symbols = dynamic(DT_SYMTAB);
    if (!strings || !stringsSize || !symbols) return damaged("its dynamic section names no symbols");
    const auto stringsAt = fileOffset(*strings, *stringsSize);
    if (!stringsAt) return damaged("its strings lie outside of the file");
    strings_ = bytes_.substr(*stringsAt, *stringsSize);

    if (const auto entrySize = dynamic(DT_SYMENT); entrySize && *entrySize != sizeof(Elf64_Sym))
        return damaged("its symbols have an odd size");
    std::optional<std::uint64_t> count;
    if (const auto hash = dynamic(DT_HASH)) count = countByHash(*hash);
    if (const auto hash = dynamic(DT_GNU_HASH); hash && !count) count = countByGnuHash(*hash);
    if (!count) return damaged("it has no usable symbol hash table");
    if (*count > bytes_.size() / sizeof(Elf64_Sym)) return damaged("it claims more symbols than it has room for");
    const auto symbolsAt = fileOffset(*symbols, *count * sizeof(Elf64_Sym));
    if (!symbolsAt) return damaged("its symbols lie outside of the file");
    symbols_ = *symbolsAt;
    symbolCount_ = *count;
    return ok();
}

std::optional<std::uint64_t> Image::countByHash(std::uint64_t address) const {
    // System V ABI, chapter 5, "Hash Table": nbucket, nchain; there are as many chains as symbols.
    std::uint32_t counts[2];
    const auto at = fileOffset(address, sizeof counts);
    if (!at || !read(*at, counts)) return std::nullopt;
    return counts[1];
}

std::optional<std::uint64_t> Image::countByGnuHash(std::uint64_t address) const {
    // nbuckets, first hashed symbol, bloom words, shift; bloom, buckets, chains. Hashed symbols are the last ones, and
    // the chain of the highest bucket ends with the last of all.
    std::uint32_t head[4];
    const auto at = fileOffset(address, sizeof head);
    if (!at || !read(*at, head)) return std::nullopt;
    const std::uint64_t buckets = *at + sizeof head + std::uint64_t{head[2]} * 8;
    const std::uint64_t chains = buckets + std::uint64_t{head[0]} * 4;
    if (!inside(buckets, std::uint64_t{head[0]} * 4)) return std::nullopt;

    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < head[0]; ++i) {
        std::uint32_t first = 0;
        read(buckets + i * 4, first);
        last = std::max<std::uint64_t>(last, first);
    }
    if (last < head[1]) return head[1];
    for (;; ++last) {
        std::uint32_t chain = 0;
        if (!read(chains + (last - head[1]) * 4, chain)) return std::nullopt;
        if (chain & 1) return last + 1;
    }
}

const Elf64_Phdr* Image::segment(std::uint32_t type) const {
    for (const auto& each : segments_)
        if (each.p_type == type) return &each;
    return nullptr;
}

std::optional<std::uint64_t> Image::dynamic(std::int64_t tag) const {
    for (const auto& each : dynamic_)
        if (each.d_tag == tag) return each.d_un.d_val;
    return std::nullopt;
}

std::optional<std::string_view> Image::string(std::uint64_t offset) const {
    if (offset >= strings_.size()) return std::nullopt;
    const std::size_t end = strings_.find('\0', offset);
    if (end == std::string_view::npos) return std::nullopt;
    return strings_.substr(offset, end - offset);
}

std::optional<Image::Symbol> Image::symbol(std::size_t index) const {
    Symbol found;
    if (index >= symbolCount_ || !read(symbols_ + index * sizeof(Elf64_Sym), found.entry)) return std::nullopt;
    const auto name = string(found.entry.st_name);
    if (!name) return std::nullopt;
    found.name = *name;
    return found;
}

bool Image::within(std::uint64_t address, std::uint32_t flags) const {
    for (const auto& each : segments_)
        if (each.p_type == PT_LOAD && (each.p_flags & flags) == flags && address >= each.p_vaddr &&
            address - each.p_vaddr < each.p_memsz)
            return true;
    return false;
}

std::optional<std::uint64_t> Image::fileOffset(std::uint64_t address, std::uint64_t length) const {
    for (const auto& each : segments_) {
        if (each.p_type != PT_LOAD || address < each.p_vaddr) continue;
        const std::uint64_t into = address - each.p_vaddr;
        if (into <= each.p_filesz && length <= each.p_filesz - into) return each.p_offset + into;
    }
    return std::nullopt;
}

}  // namespace postbus::elf
