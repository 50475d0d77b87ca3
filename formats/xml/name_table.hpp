#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postbus::xml {

/// The names of a document, found by the addresses of their parts in libxml2's dictionary: equal strings have equal
/// addresses there, so nothing is compared or hashed by character.
///
/// What a name is made of is kept from one document to the next: most documents bring the names of those before. So the
/// dictionary must live on; reset() when it does not.
class NameTable {
public:
    struct Key {
        const void *prefix, *uri, *local;
        bool operator==(const Key&) const = default;
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    struct Name {
        Key key;
        std::uint32_t document = 0;                    // in which `index` counts; 0 in a place that is free
        std::uint32_t index = none;                    // in the tape; the caller enters it
        std::uint32_t text = 0;                        // of uri, local name and prefix in a row
        std::uint32_t uri = 0, local = 0, prefix = 0;  // their lengths
    };

    /// Before each document: no name has an index any more. Gives memory back when there are very many.
    void next();
    /// Forgets all.
    void reset();

    /// The name with that key, made where it is new. Valid until the next one is asked for.
    Name& operator[](const Key& key);
    /// Its uri, local name and prefix in a row.
    std::string_view text(const Name& name) const {
        return {text_.data() + name.text, std::size_t{name.uri} + name.local + name.prefix};
    }

private:
    Name& place(const Key& key);
    void grow();
    void describe(Name& name);

    std::vector<Name> names_;
    std::string text_;
    std::uint32_t used_ = 0;
    std::uint32_t document_ = 1;
};

}  // namespace postbus::xml
