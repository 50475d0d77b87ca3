// Any bytes are a selector or an Error that says where; what compiles is evaluated, and says the same each time.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "queues/selector/selector.hpp"

namespace {

/// Properties of all kinds, by the first letter of their name; some are missing.
class Sample : public postbus::queues::SelectorProperties {
public:
    postbus::queues::SelectorValue get(std::string_view name) const override {
        switch (name.empty() ? '\0' : name[0]) {
            case 'i':
                return std::int64_t{-7};
            case 'm':
                return INT64_MIN;
            case 'd':
                return 2.5;
            case 's':
                return std::string_view("some%text_with\xC3\xBC");
            case 'b':
                return true;
            default:
                return {};
        }
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto selector = postbus::queues::Selector::compile(text);
    if (!selector) {
        if (selector.error().message().find("selector") == std::string::npos) std::abort();
        return 0;
    }
    const Sample sample;
    if (selector->matches(sample) != selector->matches(sample)) std::abort();
    return 0;
}
