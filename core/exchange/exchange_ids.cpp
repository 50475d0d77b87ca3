#include "core/exchange/exchange_ids.hpp"

#include <cstdio>
#include <random>

namespace postbus::core {

ExchangeIds::ExchangeIds() {
    std::random_device random;
    const int size = std::snprintf(last_.text_.data(), last_.text_.size(), "%07x-0", random() & 0xfffffffu);
    last_.size_ = static_cast<std::uint8_t>(size);
}

}  // namespace postbus::core
