#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/xml/scanner/words.hpp"

namespace postbus::xml {

/// Finds strings of a document again: each has a number within the space it belongs to.
///
/// A hash table under keys drawn at random, so that nobody can send names that collide. It is not emptied between
/// documents: each place knows of which document it is. The strings stay the caller's, who keeps them where they are
/// until next(), with eight readable bytes behind (words.hpp). Owned by one thread at a time.
class StringIndex {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    StringIndex();

    /// Before each document: nothing is known any more. Gives memory back when there was very much.
    void next();

    /// The number of a string, which is `none` until the caller sets it. Valid until the next call.
    std::uint32_t& operator()(std::uint64_t space, const char* text, std::uint32_t length) {
        if (used_ > mask_ / 2) grow();
        const std::uint32_t hash = hashOf(space, text, length);
        std::size_t at = hash & mask_;
        while (places_[at].document == document_) {
            const Place& place = places_[at];
            if (place.hash == hash && place.space == space && place.length == length &&
                equalWords(place.text, text, length))
                return places_[at].number;
            at = (at + 1) & mask_;
        }
        ++used_;
        Place& place = places_[at];
        place.text = text;
        place.space = space;
        place.length = length;
        place.hash = hash;
        place.document = document_;
        place.number = none;
        return place.number;
    }

private:
    struct Place {
        const char* text = nullptr;
        std::uint64_t space = 0;
        std::uint32_t length = 0, hash = 0;
        std::uint32_t document = 0;  ///< it is free when this is not the document of now
        std::uint32_t number = none;
    };

    std::uint32_t hashOf(std::uint64_t space, const char* text, std::size_t length) const {
        std::uint64_t hash = keys_[0] ^ (space * keys_[2]);
        for (; length > 16; length -= 16, text += 16)
            hash = folded(loadWord(text) ^ keys_[1], loadWord(text + 8) ^ hash);
        if (length > 8) {
            hash ^= headWord(text + 8, length - 8);
            length = 8;
        }
        return static_cast<std::uint32_t>(folded(headWord(text, length) ^ keys_[1], hash));
    }
    /// Both halves of the product together: each bit of the one factor comes to bear on each of the result.
    static std::uint64_t folded(std::uint64_t one, std::uint64_t other) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(one) * other;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
    void grow();

    std::vector<Place> places_;  ///< a power of two of them
    std::size_t mask_;           ///< their number less one
    std::size_t used_ = 0;
    std::uint32_t document_ = 1;
    std::uint64_t keys_[3];
};

}  // namespace postbus::xml
