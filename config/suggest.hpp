#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace postbus::config {

/// Insertions, deletions, replacements and swaps of neighbours that make `b` of `a` (Damerau-Levenshtein, each place
/// edited once).
std::size_t editDistance(std::string_view a, std::string_view b);

/// The word that was probably meant, or empty. maxConnections and max_connections are close to max-connections.
std::string_view nearest(std::string_view written, std::span<const std::string_view> known);

/// The end of a message about an unknown word: ", did you mean 'depth'?" or "; known are: depth, name".
std::string remedy(std::string_view written, std::span<const std::string_view> known);

/// "depth, name"; of many the first.
std::string listed(std::span<const std::string_view> words);

}  // namespace postbus::config
