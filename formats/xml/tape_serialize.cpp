// The bytes that stand for a tape: a head, then nodes, names and text as they lie in memory. For this machine's byte
// order, as the layout number of another one would read differently.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "formats/xml/tape.hpp"
#include "formats/xml/tape_check.hpp"

namespace postbus::xml {
namespace {

struct Head {
    char magic[8];
    std::uint32_t layout, nodes, names, text;
    std::uint64_t length;    // of everything, this head included
    std::uint64_t checksum;  // of everything but this field
};
constexpr char magic[8] = {'P', 'B', 'T', 'A', 'P', 'E', '\r', '\n'};

static_assert(std::has_unique_object_representations_v<Head>);
static_assert(std::has_unique_object_representations_v<postbus_node>);
static_assert(std::has_unique_object_representations_v<postbus_name>);

/// Finds what a disk or a wire damages; no protection from those who forge it, which is what checkTape() is for.
std::uint64_t mix(std::uint64_t sum, std::string_view bytes) {
    constexpr std::uint64_t prime = 0x9E3779B97F4A7C15u;
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = std::min<std::size_t>(sizeof word, bytes.size());
        std::memcpy(&word, bytes.data(), size);
        sum = (sum ^ word ^ size) * prime;
        sum ^= sum >> 29;
        bytes.remove_prefix(size);
    }
    return sum;
}

std::uint64_t checksum(Head head, std::string_view content) {
    head.checksum = 0;
    return mix(mix(0, {reinterpret_cast<const char*>(&head), sizeof head}), content);
}

/// What comes before a tape that is passed on.
struct PassedHead {
    std::uint32_t layout, nodes, names, text;
};
static_assert(std::has_unique_object_representations_v<PassedHead>);

template <class AnyHead>
std::uint64_t lengthFor(const AnyHead& head) {
    return sizeof(AnyHead) + std::uint64_t{head.nodes} * sizeof(postbus_node) +
           std::uint64_t{head.names} * sizeof(postbus_name) + head.text;
}

template <class T>
void append(std::string& out, const PlainVector<T>& all) {
    out.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T));
}

template <class T>
void take(std::string_view& bytes, std::size_t count, PlainVector<T>& all) {
    all.resize(count);
    if (count != 0) std::memcpy(all.data(), bytes.data(), count * sizeof(T));
    bytes.remove_prefix(count * sizeof(T));
}

template <class T>
std::string_view bytesOf(const T* values, std::size_t count) {
    return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

Error damaged(const char* why) { return Error::invalid(std::string("a stored document is damaged: ") + why); }

}  // namespace

std::string Tape::serialize() const {
    Head head{{}, POSTBUS_TAPE_LAYOUT, view_.node_count, view_.name_count, view_.text_size, 0, 0};
    std::memcpy(head.magic, magic, sizeof magic);
    head.length = lengthFor(head);
    std::string out;
    out.reserve(head.length);
    out.resize(sizeof head);
    append(out, nodes_);
    append(out, names_);
    out += text_.view();
    head.checksum = checksum(head, std::string_view(out).substr(sizeof head));
    std::memcpy(out.data(), &head, sizeof head);
    return out;
}

Result<Tape> Tape::verify(std::string_view bytes) {
    Head head;
    if (bytes.size() < sizeof head) return damaged("it is cut off");
    std::memcpy(&head, bytes.data(), sizeof head);
    if (std::memcmp(head.magic, magic, sizeof magic) != 0) return damaged("it does not begin like one");
    if (head.layout != POSTBUS_TAPE_LAYOUT) return damaged("it has the layout of another version");
    if (head.length != lengthFor(head) || head.length != bytes.size()) return damaged("its length is wrong");
    bytes.remove_prefix(sizeof head);
    if (head.checksum != checksum(head, bytes)) return damaged("its checksum is wrong");

    Tape tape;
    take(bytes, head.nodes, tape.nodes_);
    take(bytes, head.names, tape.names_);
    tape.text_.append(bytes);
    tape.refresh();
    if (const char* const fault = checkTape(tape.view_)) return damaged(fault);
    return tape;
}

void Tape::pass(const postbus_tape& tape, Buffer& out) {
    const PassedHead head{POSTBUS_TAPE_LAYOUT, tape.node_count, tape.name_count, tape.text_size};
    (void)out.prepare(lengthFor(head));
    out.append(bytesOf(&head, 1));
    out.append(bytesOf(tape.nodes, tape.node_count));
    out.append(bytesOf(tape.names, tape.name_count));
    out.append(bytesOf(tape.text, tape.text_size));
}

Result<void> Tape::receive(std::string_view bytes) {
    clear();
    PassedHead head;
    if (bytes.size() < sizeof head) return Error::invalid("a document is cut off");
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.layout != POSTBUS_TAPE_LAYOUT) return Error::invalid("a document has the layout of another version");
    if (lengthFor(head) != bytes.size()) return Error::invalid("a document's length is wrong");
    bytes.remove_prefix(sizeof head);
    take(bytes, head.nodes, nodes_);
    take(bytes, head.names, names_);
    text_.append(bytes);
    refresh();
    const char* const fault = checkTape(view_);
    if (!fault) return ok();
    clear();
    return Error::invalid(std::string("a document can't be read: ") + fault);
}

}  // namespace postbus::xml
