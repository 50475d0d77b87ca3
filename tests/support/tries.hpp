#pragma once

namespace postbus::test {

/// How often a test with random input tries: `times`, or a tenth of it under a sanitizer, which is some ten times
/// slower and looks for what the first hundreds show as well.
constexpr int tries(int times) {
#if defined(POSTBUS_ASAN) || defined(POSTBUS_TSAN)
    return times / 10;
#else
    return times;
#endif
}

}  // namespace postbus::test
