#include "base/utf8.hpp"
#include "queues/selector/evaluate.hpp"

namespace postbus::queues::selector {
namespace {

/// One unit of the pattern: how long it is, and what it takes of the text (0 when it does not fit).
struct Step {
    std::size_t pattern = 1;
    std::size_t text = 0;
    bool anything = false;
};

Step stepAt(std::string_view text, std::string_view pattern, char escape) {
    if (escape && pattern[0] == escape)  // the parser saw to it that something follows
        return {2, static_cast<std::size_t>(!text.empty() && text[0] == pattern[1]), false};
    if (pattern[0] == '%') return {1, 0, true};
    if (text.empty()) return {};
    if (pattern[0] == '_') {
        const std::size_t length = utf8Sequence(text);
        return {1, length == 0 ? 1 : length, false};
    }
    return {1, static_cast<std::size_t>(text[0] == pattern[0]), false};
}

}  // namespace

bool like(std::string_view text, std::string_view pattern, char escape) {
    // Where to go on when what follows the last % did not fit: one byte of the text further.
    std::string_view retryText, retryPattern;
    bool retry = false;
    for (;;) {
        if (pattern.empty() && text.empty()) return true;
        if (!pattern.empty()) {
            const Step step = stepAt(text, pattern, escape);
            if (step.anything) {
                pattern.remove_prefix(1);
                if (pattern.empty()) return true;
                retry = true;
                retryText = text;
                retryPattern = pattern;
                continue;
            }
            if (step.text != 0) {
                pattern.remove_prefix(step.pattern);
                text.remove_prefix(step.text);
                continue;
            }
        }
        if (!retry || retryText.empty()) return false;
        const std::size_t length = utf8Sequence(retryText);
        retryText.remove_prefix(length == 0 ? 1 : length);
        text = retryText;
        pattern = retryPattern;
    }
}

}  // namespace postbus::queues::selector
