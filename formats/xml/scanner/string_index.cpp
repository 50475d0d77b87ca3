#include "formats/xml/scanner/string_index.hpp"

#include <random>

#include "formats/xml/scanner/words.hpp"

namespace postbus::xml {
namespace {

constexpr std::size_t firstSize = 128;
constexpr std::size_t keptSize = 4096;

/// Both halves of the product: each bit of the one factor comes to bear on each of the result.
std::uint64_t folded(std::uint64_t one, std::uint64_t other) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(one) * other;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

StringIndex::StringIndex() : places_(firstSize) {
    std::random_device random;
    for (std::uint64_t& key : keys_) key = (std::uint64_t{random()} << 32) | random() | 1;
}

void StringIndex::next() {
    used_ = 0;
    if (places_.size() <= keptSize && ++document_ != 0) return;
    places_ = std::vector<Place>(firstSize);
    document_ = 1;
}

std::uint32_t StringIndex::hashOf(std::uint64_t space, const char* text, std::uint32_t length) const {
    std::uint64_t hash = keys_[0];
    std::size_t left = length;
    for (; left > 8; left -= 8, text += 8) hash = folded(hash ^ loadWord(text), keys_[1]);
    hash = folded(hash ^ headWord(text, left), keys_[1]);
    return static_cast<std::uint32_t>(folded(hash ^ space, keys_[2] ^ length));
}

bool StringIndex::isThere(const Place& place, std::uint64_t space, const char* text, std::uint32_t length) {
    return place.space == space && place.length == length && equalWords(place.text, text, length);
}

void StringIndex::grow() {
    std::vector<Place> before(2 * places_.size());
    before.swap(places_);
    for (const Place& each : before) {
        if (each.document != document_) continue;
        std::size_t at = each.hash & (places_.size() - 1);
        while (places_[at].document == document_) at = (at + 1) & (places_.size() - 1);
        places_[at] = each;
    }
}

}  // namespace postbus::xml
