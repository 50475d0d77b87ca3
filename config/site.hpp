#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "config/node.hpp"

namespace postbus::config {

/// Where a struct was read from, for checks that go beyond one value's type. A struct with
///
///     void validate(const config::Site& site);
///
/// is asked after it has been read. It names what it refuses by its own keys, and may fill in what follows from other
/// values:
///
///     if (least > most) site["least"].refuse("is more than most, which is " + std::to_string(most));
///
/// Values that could not be read have their defaults then; refusing one that has a problem already adds none. Lives as
/// long as the call.
class Site {
public:
    Site(const Node* node, Path path, Problems& problems) : node_(node), path_(std::move(path)), problems_(&problems) {}

    /// The value of a key, of an item. Where a single value stands for a list of one, or for a struct's main field,
    /// that value itself; where the document has nothing, the nearest place above.
    Site operator[](std::string_view key) const;
    template <std::integral Index>
    Site operator[](Index index) const {
        return item(static_cast<std::size_t>(index));
    }

    Place place() const { return node_->place; }  ///< of the value, or of what is nearest above
    bool given() const { return !missing_; }      ///< in the document, rather than a default
    void refuse(std::string what) const;

    /// Reads this value again, over what `value` holds: to inherit from elsewhere what the document leaves out.
    /// Problems are not told twice.
    template <class T>
    void readOver(T& value) const;

    /// "endpoints.A.http at line 4": for messages about another place.
    std::string described() const;

private:
    Site item(std::size_t index) const;

    const Node* node_;  ///< nearest that exists
    bool missing_ = false;
    Path path_;
    Problems* problems_;
};

}  // namespace postbus::config
