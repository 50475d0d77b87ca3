/// Names taken from C++ types at compile time: of schema types, of services, of their default namespaces.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "fields.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

/// Text built at compile time.
struct FixedText {
    std::array<char, 256> text{};
    std::size_t size = 0;

    constexpr std::string_view view() const { return {text.data(), size}; }
    constexpr void add(char c) {
        if (size < text.size()) text[size++] = c;
    }
    constexpr void add(std::string_view more) {
        for (const char c : more) add(c);
    }
};

constexpr bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// The type as the compiler spells it, with its namespaces.
template <class T>
constexpr std::string_view spelledName() {
    // GCC: "... [with T = acme::Item]", clang: "... [T = acme::Item]".
    constexpr std::string_view pretty = __PRETTY_FUNCTION__;
    constexpr std::size_t begin = pretty.find("T = ") + 4;
    // GCC goes on with aliases it used: "; std::string_view = ...".
    constexpr std::size_t alias = pretty.find("; std::", begin);
    constexpr std::size_t end = alias == std::string_view::npos ? pretty.rfind(']') : alias;
    return pretty.substr(begin, end - begin);
}

/// Where the unqualified name begins: behind the last "::" that is not inside of brackets.
constexpr std::size_t unqualifiedAt(std::string_view spelled) {
    std::size_t at = 0;
    int depth = 0;
    for (std::size_t i = 0; i < spelled.size(); ++i) {
        const char c = spelled[i];
        if (c == '<' || c == '(' || c == '{') ++depth;
        if (c == '>' || c == ')' || c == '}') --depth;
        if (depth == 0 && spelled.substr(i, 2) == "::") at = i + 2;
    }
    return at;
}

/// "acme::Page<acme::Item, int>" gives "Page_Item_int": no namespaces, nothing that a schema's name must not have.
constexpr FixedText cleanName(std::string_view spelled) {
    FixedText name;
    std::size_t word = 0;  // where the word of the moment begins, to drop it when it was a namespace
    int hidden = 0;        // inside of "(anonymous namespace)", "{anonymous}"
    bool gap = false;
    for (const char c : spelled.substr(unqualifiedAt(spelled))) {
        if (c == '(' || c == '{') ++hidden;
        if (c == ')' || c == '}') --hidden;
        if (hidden > 0 || c == ')' || c == '}') continue;
        if (c == ':') {
            if (!gap) name.size = word;
        } else if (isWordCharacter(c)) {
            if (gap && name.size > 0) {
                name.add('_');
                word = name.size;
            }
            gap = false;
            name.add(c);
        } else {
            gap = true;
        }
    }
    return name;
}

template <class T>
inline constexpr FixedText cleanedName = cleanName(spelledName<T>());

template <class T>
concept NamesItself = requires {
    { T::typeName } -> std::convertible_to<std::string_view>;
};

/// The name of a type in the schema: its own `static constexpr std::string_view typeName`, or the C++ name.
template <class T>
constexpr std::string_view typeName() {
    if constexpr (NamesItself<T>)
        return T::typeName;
    else
        return cleanedName<T>.view();
}

/// JAX-WS 2.2 section 3.2, with the namespace for the package: acme::billing gives "http://billing.acme/".
constexpr FixedText defaultNamespace(std::string_view spelled) {
    FixedText uri;
    uri.add("http://");
    const std::size_t empty = uri.size;
    std::string_view scope = spelled.substr(0, unqualifiedAt(spelled));
    while (scope.size() > 2) {
        scope.remove_suffix(2);  // "::"
        const std::size_t at = scope.rfind("::");
        const std::string_view part = at == std::string_view::npos ? scope : scope.substr(at + 2);
        bool plain = !part.empty();
        for (const char c : part) plain = plain && isWordCharacter(c);
        if (plain) {
            if (uri.size > empty) uri.add('.');
            uri.add(part);
        }
        scope.remove_suffix(part.size());
    }
    if (uri.size == empty) uri.add("unknown.namespace");
    uri.add('/');
    return uri;
}

/// "HelloWorld" gives "hello-world", "HTTPProxy" gives "http-proxy": a plugin's name when it has one service only.
constexpr FixedText kebabName(std::string_view name) {
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    FixedText kebab;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool wordBegins =
            upper(c) && i > 0 && (!upper(name[i - 1]) || (i + 1 < name.size() && !upper(name[i + 1])));
        if (wordBegins && kebab.size > 0 && kebab.text[kebab.size - 1] != '-') kebab.add('-');
        kebab.add(upper(c) ? static_cast<char>(c - 'A' + 'a') : c == '_' || c == '.' ? '-' : c);
    }
    return kebab;
}

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
