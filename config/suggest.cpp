#include "config/suggest.hpp"

#include <algorithm>
#include <vector>

namespace postbus::config {
namespace {

/// As our keys are written: lower case, words joined by '-'.
std::string kebab(std::string_view word) {
    std::string result;
    for (const char c : word) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper && !result.empty() && result.back() != '-') result += '-';
        result += upper ? static_cast<char>(c - 'A' + 'a') : c == '_' || c == ' ' ? '-' : c;
    }
    return result;
}

std::string lower(std::string_view word) {
    std::string result(word);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

}  // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> twoAbove, above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], twoAbove[j - 2] + 1);
        }
        twoAbove = above;
        std::swap(above, row);
    }
    return above[b.size()];
}

std::string_view nearest(std::string_view written, std::span<const std::string_view> known) {
    constexpr std::size_t longest = 64;  // nothing of ours is longer, and the distance costs its square
    constexpr std::size_t most = 100;
    if (written.empty() || written.size() > longest) return {};
    const std::string asKebab = kebab(written), asLower = lower(written);
    std::string_view best;
    std::size_t bestDistance = longest;
    for (const std::string_view each : known.first(std::min(known.size(), most))) {
        if (each.size() > longest) continue;
        const std::string candidate = lower(each);
        const std::size_t distance = std::min(editDistance(asKebab, candidate), editDistance(asLower, candidate));
        const std::size_t allowed = std::max<std::size_t>(1, std::min(each.size(), written.size()) / 3);
        if (distance <= allowed && distance < bestDistance) {
            best = each;
            bestDistance = distance;
        }
    }
    return best;
}

std::string remedy(std::string_view written, std::span<const std::string_view> known) {
    if (const std::string_view meant = nearest(written, known); !meant.empty())
        return ", did you mean '" + std::string(meant) + "'?";
    return "; known are: " + listed(known);
}

std::string listed(std::span<const std::string_view> words) {
    constexpr std::size_t most = 20;
    std::string result;
    for (std::size_t i = 0; i < std::min(words.size(), most); ++i) {
        if (i) result += ", ";
        result += words[i];
    }
    if (words.size() > most) result += ", ...";
    return result;
}

}  // namespace postbus::config
