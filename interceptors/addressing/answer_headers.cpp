#include "interceptors/addressing/answer_headers.hpp"

#include <array>
#include <cstdint>
#include <random>

#include "base/buffer.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::addressing {
namespace {

constexpr std::string_view prefix = "wsa";

std::mt19937_64 seeded() {
    std::random_device source;
    std::array<std::uint32_t, 8> words{};
    for (std::uint32_t& each : words) each = source();
    std::seed_seq seed(words.begin(), words.end());
    return std::mt19937_64(seed);
}

void appendBlock(xml::Writer& writer, const Edition& edition, std::string_view name, std::string_view value) {
    writer.start(edition.uri, name, prefix);
    writer.text(value);
    writer.end();
}

void appendParameter(xml::Writer& writer, const Edition& edition, Element parameter) {
    constexpr std::string_view mark = "IsReferenceParameter";
    if (!edition.finer || parameter.attribute(edition.uri, mark)) return writer.copy(parameter);
    writer.copy(parameter, edition.uri, mark, prefix, "true");
}

}  // namespace

std::string newMessageId() {
    thread_local std::mt19937_64 random = seeded();
    const std::uint64_t high = (random() & ~std::uint64_t{0xf000}) | 0x4000;
    const std::uint64_t low = (random() & ~(std::uint64_t{3} << 62)) | (std::uint64_t{2} << 62);
    constexpr std::string_view digits = "0123456789abcdef";
    std::string id = "urn:uuid:";
    for (int i = 0; i < 32; ++i) {
        if (i == 8 || i == 12 || i == 16 || i == 20) id += '-';
        id += digits[((i < 16 ? high : low) >> (60 - 4 * (i % 16))) & 15];
    }
    return id;
}

void appendAnswerHeaders(std::string& blocks, const Properties& request, const EndpointReference& target,
                         std::string_view action) {
    thread_local Buffer bytes;
    thread_local xml::Writer writer;
    const Edition& edition = *request.edition;
    bytes.clear();
    writer.begin(bytes);
    appendBlock(writer, edition, "To", target ? target.address : edition.anonymous);
    appendBlock(writer, edition, "Action", action);
    appendBlock(writer, edition, "MessageID", newMessageId());
    if (!request.messageId.empty()) appendBlock(writer, edition, "RelatesTo", request.messageId);
    if (target)
        for (const Element each : referenceParameters(target, edition)) appendParameter(writer, edition, each);
    // Names and values come from a message that was well-formed.
    if (writer.finish()) blocks += bytes.view();
    constexpr std::size_t kept = 64 * 1024;
    if (bytes.capacity() > kept) bytes = Buffer();
}

}  // namespace postbus::addressing
