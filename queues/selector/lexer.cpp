#include "queues/selector/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace postbus::queues::selector {
namespace {

constexpr std::array<std::string_view, 11> kWords = {"NULL", "TRUE", "FALSE",   "NOT", "AND",   "OR",
                                                     "IN",   "LIKE", "BETWEEN", "IS",  "ESCAPE"};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool starts(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}
// A dot is no part of Java's identifiers; names that come over AMQP have it.
bool goesOn(char c) { return starts(c) || digit(c) || c == '.'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

Error wrong(std::size_t at, const std::string& what) {
    return Error::invalid("selector, at character " + std::to_string(at + 1) + ": " + what);
}

Result<Token> Lexer::next() {
    while (at_ < text_.size() && blank(text_[at_])) ++at_;
    if (at_ == text_.size()) return Token{Token::Kind::End, at_, "the end"};
    const char c = text_[at_];
    if (starts(c)) return name();
    if (c == '\'') return literal();
    if (digit(c) || (c == '.' && at_ + 1 < text_.size() && digit(text_[at_ + 1]))) return number();
    const std::size_t begin = at_;
    for (const std::string_view sign : {"<>", "<=", ">=", "=", "<", ">", "+", "-", "*", "/", "(", ")", ","}) {
        if (text_.substr(at_, sign.size()) != sign) continue;
        at_ += sign.size();
        return Token{Token::Kind::Sign, begin, std::string(sign)};
    }
    std::string what = "'' means nothing here";
    what.insert(1, 1, c);
    return wrong(at_, what);
}

Token Lexer::name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && goesOn(text_[at_])) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    std::string capitals(found);
    std::transform(capitals.begin(), capitals.end(), capitals.begin(), upper);
    if (std::find(kWords.begin(), kWords.end(), capitals) != kWords.end())
        return {Token::Kind::Word, begin, std::move(capitals)};
    return {Token::Kind::Name, begin, std::string(found)};
}

Result<Token> Lexer::literal() {
    Token token{Token::Kind::Text, at_, {}};
    for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '\'') {
            ++at_;
            if (at_ == text_.size() || text_[at_] != '\'') return token;
        }
        token.text += text_[at_];
    }
    return wrong(token.at, "a text without its closing quote");
}

Result<Token> Lexer::number() {
    const std::size_t begin = at_;
    const bool hex = text_[at_] == '0' && at_ + 1 < text_.size() && upper(text_[at_ + 1]) == 'X';
    bool real = false;
    for (; at_ < text_.size(); ++at_) {
        const char c = upper(text_[at_]);
        if (hex ? digit(c) || (c >= 'A' && c <= 'F') || at_ == begin + 1 : digit(c)) continue;
        if (!hex && (c == '.' || c == 'E')) {
            real = true;
            const bool sign = c == 'E' && at_ + 1 < text_.size() && (text_[at_ + 1] == '+' || text_[at_ + 1] == '-');
            at_ += sign ? 1 : 0;
            continue;
        }
        break;
    }
    const std::string_view digits = text_.substr(begin, at_ - begin);
    const char suffix = at_ < text_.size() ? upper(text_[at_]) : '\0';
    const bool floats = !hex && (suffix == 'F' || suffix == 'D');
    if (floats || (suffix == 'L' && !real)) ++at_;
    if (at_ < text_.size() && goesOn(text_[at_])) return wrong(begin, "not a number");
    if (!real && !floats) return integer(digits, begin);

    Token token{Token::Kind::Real, begin, std::string(digits)};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.real);
    if (error != std::errc() || end != digits.data() + digits.size()) return wrong(begin, "not a number");
    return token;
}

Result<Token> Lexer::integer(std::string_view digits, std::size_t at) {
    Token token{Token::Kind::Integer, at, std::string(digits)};
    int base = 10;
    if (digits.size() > 1 && digits[0] == '0') {
        base = upper(digits[1]) == 'X' ? 16 : 8;
        digits.remove_prefix(base == 16 ? 2 : 1);
    }
    // One more than fits is the least integer, once its minus comes.
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error == std::errc::result_out_of_range || value > std::uint64_t{1} << 63)
        return wrong(at, "a number beyond 64 bits");
    if (error != std::errc() || end != digits.data() + digits.size()) return wrong(at, "not a number");
    token.integer = static_cast<std::int64_t>(value);
    return token;
}

}  // namespace postbus::queues::selector
