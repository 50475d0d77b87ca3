// What a plugin's host may send: whatever the bytes are, each frame is read or refused, and what is read can be walked.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "formats/xml/tape.hpp"
#include "plugins/host/frames/description.hpp"
#include "plugins/host/frames/messages.hpp"

using namespace postbus;
using namespace postbus::host;

namespace {

std::size_t sum = 0;  // of all that was looked at, so that no look is left out

void look(std::string_view text) {
    for (const char c : text) sum += static_cast<unsigned char>(c);
}
void look(postbus_str text) {
    if (text.data) look(std::string_view(text.data, text.size));
}

void look(const postbus_type* type) {
    if (!type) return;
    look(type->name);
    for (std::uint32_t i = 0; i < type->field_count; ++i) {
        look(type->fields[i].name);
        if (type->fields[i].type) look(type->fields[i].type->name);
    }
    for (std::uint32_t i = 0; i < type->value_count; ++i) look(type->values[i]);
}

void look(const Description& description) {
    look(description.plugin);
    for (const DescribedService& service : description.services) {
        for (const postbus_str text : {service.name, service.ns, service.path, service.doc}) look(text);
        for (const postbus_operation& each : service.operations) {
            for (const postbus_str text : {each.name, each.in_element, each.doc}) look(text);
            look(each.in);
            look(each.out);
        }
    }
    // What was read can be told on, and is understood again.
    Buffer again;
    if (!description.write(again)) return;
    const auto frame = firstFrame(again.view());
    if (!frame || !*frame || !Description::read((*frame)->body)) __builtin_trap();
}

template <class Said>
void lookAtSaid(const Said& said) {
    look(said.contentType);
    for (const auto& [name, value] : said.headers) {
        look(name);
        look(value);
    }
    if (said.form != Form::Document) return look(said.bytes);
    xml::Tape tape;
    if (!tape.receive(said.bytes)) return;
    for (std::uint32_t i = 0; i < tape.view()->node_count; ++i)
        if (tape.view()->nodes[i].kind == POSTBUS_NODE_ELEMENT) look(Element(tape.view(), i).text());
}

template <class Message, class Look>
void read(std::string_view body, Look&& lookAt) {
    Message message;
    const auto done = message.read(body);
    if (done) return lookAt(message);
    if (done.error().message().empty()) __builtin_trap();
}

void look(const Frame& frame) {
    switch (frame.kind) {
        case FrameKind::Hello:
            if (const auto read = Description::read(frame.body)) look(*read);
            break;
        case FrameKind::Refused:
            read<Refusal>(frame.body, [](const Refusal& its) { look(its.reason); });
            break;
        case FrameKind::Call:
            read<Call>(frame.body, lookAtSaid<Call>);
            break;
        case FrameKind::Answer:
            read<Answer>(frame.body, lookAtSaid<Answer>);
            break;
        case FrameKind::Fault:
            read<Fault>(frame.body, [](const Fault& its) {
                look(its.reason);
                look(its.detail);
            });
            break;
        case FrameKind::Log:
            read<LogLine>(frame.body, [](const LogLine& its) { look(its.text); });
            break;
        default:
            break;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // As large as the content: a read behind the end is seen.
    const std::unique_ptr<char[]> bytes(new char[size]);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(data[i]);
    std::string_view rest(bytes.get(), size);
    while (true) {
        const auto frame = firstFrame(rest);
        if (!frame || !*frame) break;
        look(**frame);
        rest.remove_prefix(frameHead + (*frame)->body.size());
    }
    return 0;
}
