#include "formats/xml/scanner/string_index.hpp"

#include <random>

namespace postbus::xml {
namespace {

constexpr std::size_t firstSize = 128;
constexpr std::size_t keptSize = 4096;

}  // namespace

StringIndex::StringIndex() : places_(firstSize), mask_(firstSize - 1) {
    std::random_device random;
    for (std::uint64_t& key : keys_) key = (std::uint64_t{random()} << 32) | random() | 1;
}

void StringIndex::next() {
    used_ = 0;
    if (places_.size() <= keptSize && ++document_ != 0) return;
    places_ = std::vector<Place>(firstSize);
    mask_ = firstSize - 1;
    document_ = 1;
}

void StringIndex::grow() {
    std::vector<Place> before(2 * places_.size());
    before.swap(places_);
    mask_ = places_.size() - 1;
    for (const Place& each : before) {
        if (each.document != document_) continue;
        std::size_t at = each.hash & mask_;
        while (places_[at].document == document_) at = (at + 1) & mask_;
        places_[at] = each;
    }
}

}  // namespace postbus::xml
