#include "base/buffer.hpp"

#include <algorithm>

namespace postbus {

Buffer::Buffer(std::size_t capacity, std::size_t headroom)
    : memory_(std::make_unique_for_overwrite<char[]>(std::max(capacity, headroom))),
      capacity_(std::max(capacity, headroom)),
      begin_(headroom),
      end_(headroom) {}

void Buffer::prepend(std::string_view bytes) {
    if (bytes.size() > begin_) {
        const std::size_t room = std::max<std::size_t>(512, bytes.size());
        Buffer larger(room + size() + 512, room);
        larger.append(view());
        swap(larger);
    }
    begin_ -= bytes.size();
    std::memcpy(memory_.get() + begin_, bytes.data(), bytes.size());
}

void Buffer::grow(std::size_t more) {
    Buffer larger(std::max<std::size_t>({256, 2 * capacity_, end_ + more}), begin_);
    larger.append(view());
    swap(larger);
}

}  // namespace postbus
