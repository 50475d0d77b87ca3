#include "formats/xml/name_table.hpp"

namespace postbus::xml {
namespace {

constexpr std::size_t firstSize = 128, keptSize = 8192;  // powers of two

std::size_t hash(const NameTable::Key& key) {
    const auto bits = [](const void* part) { return reinterpret_cast<std::uintptr_t>(part); };
    std::uint64_t h = bits(key.local) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 32) ^ bits(key.uri)) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 32) ^ bits(key.prefix)) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(h >> 24);
}

}  // namespace

void NameTable::clear() {
    used_ = 0;
    if (entries_.size() > keptSize || ++document_ == 0) {
        entries_ = {};
        document_ = 1;
    }
}

std::uint32_t& NameTable::operator[](const Key& key) {
    if (2 * (used_ + 1) > entries_.size()) grow();
    Entry& entry = place(key);
    if (entry.document != document_) {
        entry = {key, none, document_};
        ++used_;
    }
    return entry.index;
}

NameTable::Entry& NameTable::place(const Key& key) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = hash(key) & mask;
    while (entries_[at].document == document_ && !(entries_[at].key == key)) at = (at + 1) & mask;
    return entries_[at];
}

void NameTable::grow() {
    std::vector<Entry> before(entries_.empty() ? firstSize : 2 * entries_.size());
    before.swap(entries_);
    for (const Entry& each : before)
        if (each.document == document_) place(each.key) = each;
}

}  // namespace postbus::xml
