#pragma once

#include <postbus/fields.hpp>

#include <algorithm>

#include "config/reader.hpp"

namespace postbus::config {

/// Field by field, however deep.
template <HasFields T>
bool equal(const T& a, const T& b);

namespace detail {

template <class T>
bool same(const T& a, const T& b) {
    if constexpr (HasFields<T>) {
        return equal(a, b);
    } else if constexpr (IsOptional<T>::value) {
        return a.has_value() == b.has_value() && (!a || same(*a, *b));
    } else if constexpr (IsVector<T>::value) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const auto& x, const auto& y) { return same(x, y); });
    } else if constexpr (IsNamedMap<T>::value) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
    } else {
        return a == b;
    }
}

}  // namespace detail

template <HasFields T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
    return detail::same(a, b);
}

template <HasFields T>
bool equal(const T& a, const T& b) {
    bool result = true;
    forEachField<T>([&](const auto& each) { result = result && detail::same(a.*each.member, b.*each.member); });
    return result;
}

}  // namespace postbus::config
