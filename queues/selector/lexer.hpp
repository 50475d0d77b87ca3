#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::queues::selector {

struct Token {
    enum class Kind { End, Word, Name, Integer, Real, Text, Sign };
    Kind kind = Kind::End;
    std::size_t at = 0;  ///< where it begins
    std::string text;    ///< a keyword in capitals, a name, a text without its quotes, or the sign itself
    std::int64_t integer = 0;
    double real = 0;

    bool is(Kind what, std::string_view value) const { return kind == what && text == value; }
    bool word(std::string_view value) const { return is(Kind::Word, value); }
    bool sign(std::string_view value) const { return is(Kind::Sign, value); }
};

/// Cuts a selector into tokens, one at a time.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}
    Result<Token> next();

private:
    Token name();
    Result<Token> literal();
    Result<Token> number();
    Result<Token> integer(std::string_view digits, std::size_t at);

    std::string_view text_;
    std::size_t at_ = 0;
};

Error wrong(std::size_t at, const std::string& what);

}  // namespace postbus::queues::selector
