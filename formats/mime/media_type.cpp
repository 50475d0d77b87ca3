#include "formats/mime/media_type.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace postbus::mime {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t'; }
bool isQuotable(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F); }

/// The visible ASCII characters but those of `without`, as a table: each request asks for every character of its type.
constexpr std::array<bool, 256> visibleWithout(std::string_view without) {
    std::array<bool, 256> table{};
    for (std::size_t c = 0x21; c < 0x7F; ++c) table[c] = without.find(static_cast<char>(c)) == std::string_view::npos;
    return table;
}
constexpr auto tokens = visibleWithout("\"(),/:;<=>?@[\\]{}");  // RFC 9110 section 5.6.2
constexpr auto unquoted = visibleWithout("\";,\\");
bool isToken(char c) { return tokens[static_cast<unsigned char>(c)]; }
bool isUnquoted(char c) { return unquoted[static_cast<unsigned char>(c)]; }

/// Takes the characters for which `belongs` holds off the front.
template <bool belongs(char)>
std::string_view take(std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && belongs(text[length])) ++length;
    const std::string_view taken = text.substr(0, length);
    text.remove_prefix(length);
    return taken;
}

/// Takes a quoted string off the front and gives what is between the quotes; none when it is not well-formed.
std::optional<std::string_view> takeQuoted(std::string_view& text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            const std::string_view inside = text.substr(1, i - 1);
            text.remove_prefix(i + 1);
            return inside;
        }
        if (text[i] == '\\') ++i;
        if (i < text.size() && !isQuotable(text[i])) return std::nullopt;
    }
    return std::nullopt;
}

struct Parameter {
    std::string_view name, value;  // without quotes, escapes still in it
    bool quoted = false;
};

/// Walks over parameters; each step gives one, or none at the end and at what is malformed.
class Walk {
public:
    explicit Walk(std::string_view text) : rest_(text) {}

    bool malformed() const { return malformed_; }
    std::optional<Parameter> next() {
        while (true) {
            take<isSpace>(rest_);
            if (rest_.empty()) return std::nullopt;
            if (rest_.front() != ';') return bad();
            rest_.remove_prefix(1);
            take<isSpace>(rest_);
            if (!rest_.empty() && rest_.front() != ';') return one();  // else an empty one, which the grammar allows
        }
    }

private:
    std::optional<Parameter> bad() {
        malformed_ = true;
        rest_ = {};
        return std::nullopt;
    }
    std::optional<Parameter> one() {
        Parameter parameter{take<isToken>(rest_), {}};
        if (parameter.name.empty() || rest_.empty() || rest_.front() != '=') return bad();
        rest_.remove_prefix(1);
        parameter.quoted = !rest_.empty() && rest_.front() == '"';
        if (!parameter.quoted) {
            parameter.value = take<isUnquoted>(rest_);
            return parameter.value.empty() ? bad() : parameter;
        }
        const auto inside = takeQuoted(rest_);
        if (!inside) return bad();
        parameter.value = *inside;
        return parameter;
    }

    std::string_view rest_;
    bool malformed_ = false;
};

Error malformed(const char* why) { return Error::invalid(std::string("the media type is malformed: ") + why); }

Result<void> check(std::string_view parameters) {
    std::array<std::string_view, MediaType::mostParameters> names;
    std::size_t count = 0;
    Walk walk(parameters);
    while (const auto each = walk.next()) {
        const auto same = [&](std::string_view name) { return sameIgnoringCase(name, each->name); };
        if (std::any_of(names.begin(), names.begin() + count, same)) return malformed("a parameter is given twice");
        if (count == names.size()) return malformed("it has more than 32 parameters");
        names[count++] = each->name;
    }
    return walk.malformed() ? malformed("after the type, parameters of the form ;name=value are expected") : ok();
}

}  // namespace

Result<MediaType> MediaType::parse(std::string_view field) {
    MediaType media;
    take<isSpace>(field);
    media.type_ = take<isToken>(field);
    if (media.type_.empty() || field.empty() || field.front() != '/') return malformed("type/subtype is expected");
    field.remove_prefix(1);
    media.subtype_ = take<isToken>(field);
    if (media.subtype_.empty()) return malformed("type/subtype is expected");
    media.parameters_ = field;
    auto checked = check(field);
    if (!checked) return std::move(checked).error();
    return media;
}

bool MediaType::is(std::string_view type, std::string_view subtype) const {
    return sameIgnoringCase(type_, type) && sameIgnoringCase(subtype_, subtype);
}

std::optional<std::string_view> MediaType::parameter(std::string_view name, std::string& memory) const {
    Walk walk(parameters_);
    while (const auto each = walk.next()) {
        if (!sameIgnoringCase(each->name, name)) continue;
        if (!each->quoted || each->value.find('\\') == std::string_view::npos) return each->value;
        memory.clear();
        for (std::size_t i = 0; i < each->value.size(); ++i) {
            if (each->value[i] == '\\') ++i;  // a character follows: it is checked
            memory += each->value[i];
        }
        return std::string_view(memory);
    }
    return std::nullopt;
}

bool sameIgnoringCase(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace postbus::mime
