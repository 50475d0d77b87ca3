#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postbus::xml {

/// Finds strings of a document again: each has a number within the space it belongs to.
///
/// A hash table under a key drawn at random, so that nobody can send names that collide. It is not emptied between
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
        if (2 * (used_ + 1) > places_.size()) grow();
        const std::uint32_t hash = hashOf(space, text, length);
        std::size_t at = hash & (places_.size() - 1);
        while (places_[at].document == document_) {
            if (places_[at].hash == hash && isThere(places_[at], space, text, length)) return places_[at].number;
            at = (at + 1) & (places_.size() - 1);
        }
        ++used_;
        places_[at] = {text, space, length, hash, document_, none};
        return places_[at].number;
    }

private:
    struct Place {
        const char* text = nullptr;
        std::uint64_t space = 0;
        std::uint32_t length = 0, hash = 0;
        std::uint32_t document = 0;  ///< it is free when this is not the document of now
        std::uint32_t number = none;
    };

    std::uint32_t hashOf(std::uint64_t space, const char* text, std::uint32_t length) const;
    static bool isThere(const Place& place, std::uint64_t space, const char* text, std::uint32_t length);
    void grow();

    std::vector<Place> places_;  ///< a power of two of them
    std::size_t used_ = 0;
    std::uint32_t document_ = 1;
    std::uint64_t keys_[3];
};

}  // namespace postbus::xml
