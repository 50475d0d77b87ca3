#include "plugins/host/frames/frame.hpp"

#include <cstring>
#include <string>
#include <type_traits>

namespace postbus::host {
namespace {

struct Head {
    std::uint32_t length;  // of the body
    FrameKind kind;
    std::uint16_t unused;  // 0, for a later version
    std::uint64_t id;
};
static_assert(sizeof(Head) == frameHead && std::has_unique_object_representations_v<Head>);

bool isKnown(FrameKind kind) { return kind >= FrameKind::Hello && kind <= FrameKind::Stopped; }

}  // namespace

FrameInMaking::FrameInMaking(Buffer& out, FrameKind kind, std::uint64_t id) : out_(out), begin_(out.size()) {
    const Head head{0, kind, 0, id};
    out_.append({reinterpret_cast<const char*>(&head), sizeof head});
}

Result<void> FrameInMaking::end() {
    const std::size_t length = out_.size() - begin_ - frameHead;
    if (length > largestFrame) {
        out_.truncate(begin_);
        return Error(Error::Kind::TooLarge, "a message of " + std::to_string(length) +
                                                " bytes is too large for a plugin in a process of its own (limit " +
                                                std::to_string(largestFrame) + ")");
    }
    const auto written = static_cast<std::uint32_t>(length);
    std::memcpy(out_.data() + begin_, &written, sizeof written);
    return ok();
}

Result<std::optional<Frame>> firstFrame(std::string_view bytes) {
    if (bytes.size() < frameHead) return std::optional<Frame>();
    Head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    if (!isKnown(head.kind) || head.unused != 0)
        return Error::invalid("a frame of no known kind (" + std::to_string(static_cast<unsigned>(head.kind)) + ")");
    if (head.length > largestFrame)
        return Error::invalid("a frame of " + std::to_string(head.length) + " bytes, which is more than any may have");
    if (bytes.size() - frameHead < head.length) return std::optional<Frame>();
    return std::optional<Frame>({head.kind, head.id, bytes.substr(frameHead, head.length)});
}

}  // namespace postbus::host
