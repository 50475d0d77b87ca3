// The checks of a dropped file's bytes: whatever they are, the answer is a verdict.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "plugins/elf/inspect.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // As large as the content: a read behind the end is seen.
    const std::unique_ptr<char[]> bytes(new char[size]);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(data[i]);
    const auto report = postbus::elf::inspect({bytes.get(), size}, "postbus_plugin_entry_v1");
    if (!report && report.error().message().empty()) __builtin_trap();
    return 0;
}
