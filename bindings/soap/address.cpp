#include "bindings/soap/address.hpp"

#include <string_view>

namespace postbus::soap {
namespace {

// RFC 3986: unreserved and sub-delims without those that XML minds, and what authority and path have besides.
void appendPart(std::string& out, std::string_view part, std::string_view besides) {
    constexpr std::string_view hex = "0123456789ABCDEF", plain = "-._~!$()*+,;=";
    for (const char c : part) {
        const auto byte = static_cast<unsigned char>(c);
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || plain.find(c) != std::string_view::npos || besides.find(c) != std::string_view::npos)
            out += c;
        else
            (out += '%', out += hex[byte >> 4], out += hex[byte & 15]);
    }
}

}  // namespace

std::string addressOf(const core::RequestHead& head) {
    std::string address(head.scheme == "https" ? "https://" : "http://");
    appendPart(address, head.host.empty() ? std::string_view("localhost") : head.host, ":[]%");
    appendPart(address, head.path, "/:@");
    return address;
}

}  // namespace postbus::soap
