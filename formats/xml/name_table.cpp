#include "formats/xml/name_table.hpp"

#include "formats/xml/values.hpp"

namespace postbus::xml {
namespace {

constexpr std::size_t firstSize = 128;  // a power of two
constexpr std::uint32_t keptNames = 4096;
constexpr std::size_t keptText = 256 * 1024;

std::size_t hash(const NameTable::Key& key) {
    const auto bits = [](const void* part) { return reinterpret_cast<std::uintptr_t>(part); };
    std::uint64_t h = bits(key.local) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 32) ^ bits(key.uri)) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 32) ^ bits(key.prefix)) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(h >> 24);
}

std::string_view viewOf(const void* text) {
    return text ? std::string_view(static_cast<const char*>(text)) : std::string_view();
}

}  // namespace

void NameTable::next() {
    if (used_ > keptNames || text_.size() > keptText || ++document_ == 0) reset();
}

void NameTable::reset() {
    names_ = {};
    text_ = {};
    used_ = 0;
    document_ = 1;
}

NameTable::Name& NameTable::operator[](const Key& key) {
    if (2 * (used_ + 1) > names_.size()) grow();
    Name& name = place(key);
    if (name.document == 0) {
        name.key = key;
        describe(name);
        ++used_;
    }
    if (name.document != document_) {
        name.document = document_;
        name.index = none;
    }
    return name;
}

/// Where the name is, or the free place where it belongs.
NameTable::Name& NameTable::place(const Key& key) {
    const std::size_t mask = names_.size() - 1;
    std::size_t at = hash(key) & mask;
    while (names_[at].document != 0 && !(names_[at].key == key)) at = (at + 1) & mask;
    return names_[at];
}

void NameTable::grow() {
    std::vector<Name> before(names_.empty() ? firstSize : 2 * names_.size());
    before.swap(names_);
    for (const Name& each : before)
        if (each.document != 0) place(each.key) = each;
}

void NameTable::describe(Name& name) {
    std::string memory;
    const std::string_view uri = resolved(viewOf(name.key.uri), memory);
    const std::string_view local = viewOf(name.key.local), prefix = viewOf(name.key.prefix);
    name.text = static_cast<std::uint32_t>(text_.size());
    name.uri = static_cast<std::uint32_t>(uri.size());
    name.local = static_cast<std::uint32_t>(local.size());
    name.prefix = static_cast<std::uint32_t>(prefix.size());
    text_ += uri;
    text_ += local;
    text_ += prefix;
}

}  // namespace postbus::xml
