#include "bindings/soap/raw_answer.hpp"

#include <string_view>

#include "bindings/soap/envelope.hpp"
#include "formats/xml/parse.hpp"

namespace postbus::soap {
namespace {

/// Bytes in front of the first element that may not stand inside of a document.
std::size_t prologSize(std::string_view bytes) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    const std::size_t start = bytes.starts_with(mark) ? mark.size() : 0;
    const std::string_view rest = bytes.substr(start);
    if (!rest.starts_with("<?xml ")) return start;
    const std::size_t end = rest.find("?>");
    return end == std::string_view::npos ? start : start + end + 2;
}

}  // namespace

Result<void> checkRawAnswer(core::AnswerDraft& draft) {
    draft.bytes.consume(prologSize(draft.bytes.view()));
    if (draft.bytes.empty()) return ok();
    // Wrapped, since a Body may hold several elements. Kept by the thread, so that the memory is not.
    thread_local xml::Tape tape;
    const std::string_view start = "<answer>", end = "</answer>";
    draft.bytes.prepend(start);
    draft.bytes.append(end);
    auto parsed = xml::parse(draft.bytes.view(), "utf-8", xml::Limits{}, tape);
    draft.bytes.consume(start.size());
    draft.bytes.truncate(draft.bytes.size() - end.size());
    if (parsed && holdsText(tape.root())) parsed = Error::invalid("there is text outside of its elements");
    tape.clear();
    tape.shrink(64 * 1024);
    return parsed;
}

}  // namespace postbus::soap
