#include "cli/call/value.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/base64.hpp"
#include "formats/xml/chars.hpp"

namespace postbus::cli {
namespace {

constexpr std::size_t mostBytes = 64u << 20;

std::string hex(std::string_view bytes) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

Result<void> checkWords(const xsd::Builtin& type, std::string_view words) {
    constexpr std::string_view space = " \t\r\n";
    for (std::size_t at = words.find_first_not_of(space); at != std::string_view::npos;) {
        const std::size_t end = std::min(words.find_first_of(space, at), words.size());
        if (auto checked = xsd::checkValue(type, words.substr(at, end - at)); !checked) return checked;
        at = words.find_first_not_of(space, end);
    }
    return ok();
}

}  // namespace

Result<std::string> readFile(const std::string& file) {
    const auto close = [](std::FILE* stream) {
        if (stream != stdin) std::fclose(stream);
    };
    const std::unique_ptr<std::FILE, decltype(close)> stream(file == "-" ? stdin : std::fopen(file.c_str(), "rb"),
                                                             close);
    if (!stream) return Error(Error::Kind::NotFound, file + ": " + std::strerror(errno));
    std::string content;
    std::array<char, 65'536> chunk;
    while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), stream.get())) {
        content.append(chunk.data(), size);
        if (content.size() > mostBytes) return Error(Error::Kind::TooLarge, file + ": larger than 64 MiB");
    }
    if (std::ferror(stream.get())) return Error::invalid(file + ": " + std::strerror(errno));
    return content;
}

Result<std::string> valueOf(std::string_view given, const xsd::Type& type) {
    if (!type.problem.empty()) return Error::invalid(type.problem);
    if (!type.value) return Error::invalid("the schema gives it a type that is not simple");
    const xsd::Builtin& builtin = *type.value;
    std::string value(given);
    if (given.starts_with("@@")) {
        value.erase(0, 1);
    } else if (given.starts_with('@')) {
        auto content = readFile(std::string(given.substr(1)));
        if (!content) return content;
        if (builtin.kind == xsd::Kind::Base64 && !type.list) return base64(*content);
        if (builtin.kind == xsd::Kind::Hex && !type.list) return hex(*content);
        value = *std::move(content);
    }
    if (!xml::isChars(value))
        return Error::invalid("not text that XML can hold: it has to be UTF-8 without control characters");
    auto checked = type.list ? checkWords(builtin, value) : xsd::checkValue(builtin, value);
    if (!checked) return std::move(checked).error();
    return value;
}

}  // namespace postbus::cli
