#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace postbus::core {

/// The text of an id: a prefix that no other loop of any daemon is likely to have, and a number.
class ExchangeId {
public:
    std::string_view view() const { return {text_.data(), size_}; }

private:
    friend class ExchangeIds;
    std::array<char, 32> text_{};
    std::uint8_t size_ = 0;
};

/// The ids of one loop's exchanges: "869c491-1", "869c491-2", ... "869c491-f", "869c491-10". They are counted up in
/// text: mostly one digit changes. One thread's.
class ExchangeIds {
public:
    ExchangeIds();
    const ExchangeId& next() {
        char* const text = last_.text_.data();
        std::size_t at = last_.size_ - 1u;
        for (; at > prefix && text[at] == 'f'; --at) text[at] = '0';
        if (at == prefix) {  // one digit more
            std::memmove(text + at + 2, text + at + 1, last_.size_ - at - 1u);
            text[at + 1] = '1';
            ++last_.size_;
        } else {
            text[at] = text[at] == '9' ? 'a' : static_cast<char>(text[at] + 1);
        }
        return last_;
    }

private:
    static constexpr std::size_t prefix = 7;  // where the dash stands
    ExchangeId last_;
};

}  // namespace postbus::core
