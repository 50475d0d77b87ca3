#pragma once

namespace postbus::test {

/// How often a test with random input tries: `times`, or a tenth of it under a sanitizer, which is some ten times
/// slower and looks for what the first hundreds show as well.
constexpr int tries(int times) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return times / 10;
#else
    return times;
#endif
}

}  // namespace postbus::test
