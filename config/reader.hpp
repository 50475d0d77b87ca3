#pragma once

#include <postbus/fields.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "config/node.hpp"
#include "config/scalars.hpp"
#include "config/site.hpp"
#include "config/suggest.hpp"

namespace postbus::config {

template <class T>
struct IsNamedMap : std::false_type {};
template <class T>
struct IsNamedMap<std::map<std::string, T>> : std::true_type {};

/// A scalar stands for the field of this name.
template <class T>
concept HasShorthand = HasFields<T> && requires {
    { T::shorthand } -> std::convertible_to<std::string_view>;
};

/// One of several things by name, each a std::optional among the fields: `name` alone, or `name: {its keys}`. `oneOf`
/// says what it is one of, for messages: "interceptor".
template <class T>
concept IsOneOf = HasFields<T> && requires {
    { T::oneOf } -> std::convertible_to<std::string_view>;
};

template <class T>
concept Validates = requires(T& value, const Site& site) {
    value.validate(site);
};

/// Reads `node` into `value`, which holds the default before and keeps it where the node has a problem. What T may be:
/// std::string, bool, integers, double, milliseconds, ByteSize, enums with enumerators(), structs with fields(), and
/// std::optional, std::vector and std::map<std::string, ...> of these.
template <class T>
void readValue(const Node& node, T& value, const Path& path, Problems& problems);

namespace detail {

template <HasFields T>
inline constexpr auto fieldNames = [] {
    std::array<std::string_view, fieldCount<T>> names{};
    std::size_t i = 0;
    forEachField<T>([&](const auto& each) { names[i++] = each.name; });
    return names;
}();

template <HasEnumerators T>
inline constexpr auto enumeratorNames = [] {
    constexpr auto all = enumerators(T{});
    std::array<std::string_view, all.size()> names{};
    for (std::size_t i = 0; i < all.size(); ++i) names[i] = all[i].name;
    return names;
}();

template <class T, class Found>
void take(Result<Found> found, const Node& node, T& value, const Path& path, Problems& problems) {
    if (found) {
        value = static_cast<T>(*std::move(found));
    } else {
        problems.add(node.place, path, found.error().message());
    }
}

/// The field called `name` gets `node`; false when there is none.
template <HasFields T>
bool readField(std::string_view name, const Node& node, T& value, const Path& path, Problems& problems) {
    bool known = false;
    forEachField<T>([&](const auto& each) {
        if (each.name != name) return;
        known = true;
        readValue(node, value.*each.member, path, problems);
    });
    return known;
}

/// `node` is null for a name that stands alone.
template <IsOneOf T>
void readChosen(std::string_view name, Place place, const Node* node, T& value, const Path& path, Problems& problems) {
    bool known = false;
    forEachField<T>([&](const auto& each) {
        if (each.name != name) return;
        known = true;
        auto& chosen = (value.*each.member).emplace();
        if (node && node->kind != Node::Kind::Null) readValue(*node, chosen, path.key(name), problems);
    });
    if (!known)
        problems.add(place, path,
                     "unknown " + std::string(T::oneOf) + " " + inQuotes(name) + remedy(name, fieldNames<T>));
}

template <IsOneOf T>
void readOneOf(const Node& node, T& value, const Path& path, Problems& problems) {
    if (node.kind == Node::Kind::Scalar)
        readChosen(node.text, node.place, nullptr, value, path, problems);
    else if (node.kind == Node::Kind::Map && node.entries.size() == 1)
        readChosen(node.entries[0].key, node.entries[0].place, node.entries[0].value, value, path, problems);
    else
        problems.add(node.place, path,
                     "expected the name of one " + std::string(T::oneOf) +
                         ", alone or as the key of its options, got " + node.described());
}

template <HasFields T>
void readStruct(const Node& node, T& value, const Path& path, Problems& problems) {
    if (node.kind == Node::Kind::Map) {
        for (const Node::Entry& entry : node.entries) {
            if (readField(entry.key, *entry.value, value, path.key(entry.key), problems)) continue;
            problems.add(entry.place, path, "unknown key " + inQuotes(entry.key) + remedy(entry.key, fieldNames<T>));
            const std::string_view meant = nearest(entry.key, fieldNames<T>);
            if (!meant.empty() && !node.find(meant)) problems.meant(path.key(meant));
        }
    } else if (node.kind != Node::Kind::Null) {
        bool taken = false;
        if constexpr (HasShorthand<T>)
            taken = node.kind == Node::Kind::Scalar && readField(T::shorthand, node, value, path, problems);
        if (!taken) problems.add(node.place, path, "expected a mapping, got " + node.described());
    }
    if constexpr (Validates<T>) value.validate(Site(&node, path, problems));
}

template <class T>
void readList(const Node& node, std::vector<T>& value, const Path& path, Problems& problems) {
    if (node.kind == Node::Kind::Null) {
        problems.add(node.place, path, "has no value; write [] for an empty list");
        return;
    }
    value.clear();
    if (node.kind != Node::Kind::List) {
        readValue(node, value.emplace_back(), path, problems);
        return;
    }
    value.reserve(node.items.size());
    for (std::size_t i = 0; i < node.items.size(); ++i)
        readValue(*node.items[i], value.emplace_back(), path.item(i), problems);
}

template <class T>
void readMap(const Node& node, std::map<std::string, T>& value, const Path& path, Problems& problems) {
    value.clear();
    if (node.kind == Node::Kind::Null) return;
    if (node.kind != Node::Kind::Map) {
        problems.add(node.place, path, "expected a mapping of names, got " + node.described());
        return;
    }
    for (const Node::Entry& entry : node.entries)
        readValue(*entry.value, value[entry.key], path.key(entry.key), problems);
}

template <class T>
requires std::is_arithmetic_v<T>
void readNumber(const Node& node, T& value, const Path& path, Problems& problems) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::same_as<T, bool>) {
        take(boolOf(node), node, value, path, problems);
    } else if constexpr (std::floating_point<T>) {
        take(doubleOf(node), node, value, path, problems);
    } else if constexpr (std::signed_integral<T>) {
        take(signedOf(node, Limits::min(), Limits::max()), node, value, path, problems);
    } else {
        take(unsignedOf(node, Limits::max()), node, value, path, problems);
    }
}

template <HasEnumerators T>
void readChoice(const Node& node, T& value, const Path& path, Problems& problems) {
    const Result<std::size_t> index = choiceOf(node, enumeratorNames<T>);
    if (index) {
        value = enumerators(T{})[*index].value;
    } else {
        problems.add(node.place, path, index.error().message());
    }
}

}  // namespace detail

template <class T>
void readValue(const Node& node, T& value, const Path& path, Problems& problems) {
    if constexpr (IsOneOf<T>) {
        detail::readOneOf(node, value, path, problems);
    } else if constexpr (HasFields<T>) {
        detail::readStruct(node, value, path, problems);
    } else if constexpr (IsOptional<T>::value) {
        // A section with nothing in it, all its lines commented out, is as one left out.
        if (node.kind == Node::Kind::Null) return;
        readValue(node, value.emplace(), path, problems);
    } else if constexpr (IsVector<T>::value) {
        detail::readList(node, value, path, problems);
    } else if constexpr (IsNamedMap<T>::value) {
        detail::readMap(node, value, path, problems);
    } else if constexpr (HasEnumerators<T>) {
        detail::readChoice(node, value, path, problems);
    } else if constexpr (std::same_as<T, std::string>) {
        detail::take(textOf(node), node, value, path, problems);
    } else if constexpr (std::same_as<T, milliseconds>) {
        detail::take(durationOf(node), node, value, path, problems);
    } else if constexpr (std::same_as<T, ByteSize>) {
        detail::take(byteSizeOf(node), node, value, path, problems);
    } else {
        detail::readNumber(node, value, path, problems);
    }
}

template <class T>
void Site::readOver(T& value) const {
    Problems told;
    if (given()) readValue(*node_, value, path_, told);
}

}  // namespace postbus::config
