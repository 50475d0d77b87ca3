#include "transports/http/message/accept_encoding.hpp"

#include <algorithm>

#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

/// RFC 9110 section 12.4.2: 0 to 1 with at most three digits behind the point; what is none counts as 0.
int weight(std::string_view parameter) {
    parameter = trimmed(parameter);
    if (parameter.empty()) return 1000;
    if (parameter.size() < 3 || (parameter[0] | 0x20) != 'q' || parameter[1] != '=') return 0;
    const std::string_view number = parameter.substr(2);
    if (number.size() > 5 || (number[0] != '0' && number[0] != '1')) return 0;
    int value = (number[0] - '0') * 1000;
    if (number.size() == 1) return value;
    if (number[1] != '.') return 0;
    int place = 100;
    for (const char c : number.substr(2)) {
        if (!chars::is(c, chars::digit)) return 0;
        value += (c - '0') * place;
        place /= 10;
    }
    return std::min(value, 1000);
}

}  // namespace

void AcceptedCodings::add(std::string_view list) {
    forEachElement(list, [&](std::string_view element) {
        const std::size_t semicolon = element.find(';');
        const std::string_view name = trimmed(element.substr(0, semicolon));
        const int given =
            weight(semicolon == std::string_view::npos ? std::string_view() : element.substr(semicolon + 1));
        if (sameText(name, "gzip") || sameText(name, "x-gzip"))
            gzip_ = std::max(gzip_, given);
        else if (name == "*")
            any_ = given;
        else if (sameText(name, "identity"))
            identity_ = given;
    });
}

bool AcceptedCodings::gzip() const {
    const int wanted = gzip_ >= 0 ? gzip_ : any_;
    return wanted > 0 && wanted >= identity_;
}

}  // namespace postbus::http
