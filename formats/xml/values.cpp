#include "formats/xml/values.hpp"

namespace postbus::xml {

std::string_view resolved(std::string_view value, std::string& memory) {
    constexpr std::string_view reference = "&#38;";
    std::size_t at = value.find('&');
    if (at == std::string_view::npos) return value;
    memory.clear();
    for (; at != std::string_view::npos; at = value.find('&')) {
        memory += value.substr(0, at + 1);
        value.remove_prefix(at + (value.substr(at).starts_with(reference) ? reference.size() : 1));
    }
    memory += value;
    return memory;
}

std::string_view normalised(std::string_view text, std::string& memory) {
    if (text.find('\r') == std::string_view::npos) return text;
    memory.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
        memory += text[i] == '\r' ? '\n' : text[i];
    }
    return memory;
}

}  // namespace postbus::xml
