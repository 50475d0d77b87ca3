#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postbus::xml {

/// Index of each distinct name of a document, found by the addresses of its parts in libxml2's dictionary: equal
/// strings have equal addresses there, so nothing is compared or hashed by character. clear() is free.
class NameTable {
public:
    struct Key {
        const void *prefix, *uri, *local;
        bool operator==(const Key&) const = default;
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    /// Forgets all; gives memory back after a document with very many names.
    void clear();
    /// The place of a name: `none` there means it is new, and the caller enters its index.
    std::uint32_t& operator[](const Key& key);

private:
    struct Entry {
        Key key;
        std::uint32_t index = none;
        std::uint32_t document = 0;  // an entry of another document is a free one
    };
    Entry& place(const Key& key);
    void grow();

    std::vector<Entry> entries_;
    std::uint32_t used_ = 0;
    std::uint32_t document_ = 1;
};

}  // namespace postbus::xml
