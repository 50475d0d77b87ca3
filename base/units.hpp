#pragma once

#include <cstdint>

namespace postbus {

/// A size in bytes as configuration writes it: 512, 32KiB, 16MiB, 1GiB (also kB, MB, GB: powers of ten).
struct ByteSize {
    std::uint64_t bytes = 0;
    constexpr operator std::uint64_t() const { return bytes; }
};

constexpr ByteSize operator""_B(unsigned long long n) { return {n}; }
constexpr ByteSize operator""_KiB(unsigned long long n) { return {n << 10}; }
constexpr ByteSize operator""_MiB(unsigned long long n) { return {n << 20}; }

}  // namespace postbus
