#include "core/port/senders.hpp"

namespace postbus::core {

Sender* Senders::find(std::string_view uri) const {
    std::string scheme(uri.substr(0, uri.find(':')));
    if (scheme.size() == uri.size()) return nullptr;
    for (char& c : scheme)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    const auto found = byScheme_.find(scheme);
    return found == byScheme_.end() ? nullptr : found->second;
}

}  // namespace postbus::core
