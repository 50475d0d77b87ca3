#include "cli/call/answer_print.hpp"

#include "cli/table.hpp"
#include "formats/xsd/reader/builtin.hpp"

namespace postbus::cli {
namespace {

using Kind = AnswerNode::Kind;

class TextPrinter {
public:
    void member(const std::string& name, const AnswerNode& node, std::size_t indent) {
        out_.append(2 * indent, ' ').append(printable(name)).append(":");
        switch (node.kind) {
            case Kind::Nil:
                out_ += " (nil)\n";
                return;
            case Kind::Object:
                out_ += '\n';
                return content(node, indent + 1);
            case Kind::List:
                for (const AnswerNode& each : node.items) out_.append(" ").append(printable(each.text));
                out_ += '\n';
                return;
            default:
                text(node.text, indent + 1);
        }
    }

    void content(const AnswerNode& node, std::size_t indent) {
        for (const auto& each : node.members)
            for (const AnswerNode& value : each.values) member(each.name, value, indent);
    }

    std::string take() && { return std::move(out_); }

private:
    /// Text of several lines stands below its name.
    void text(std::string_view value, std::size_t indent) {
        if (value.find('\n') == std::string_view::npos) {
            if (!value.empty()) out_.append(" ").append(printable(value));
            out_ += '\n';
            return;
        }
        out_ += '\n';
        while (!value.empty()) {
            const std::string_view line = value.substr(0, value.find('\n'));
            out_.append(2 * indent, ' ').append(printable(line)).append("\n");
            value.remove_prefix(std::min(value.size(), line.size() + 1));
        }
    }

    std::string out_;
};

}  // namespace

void printJson(json::Writer& json, const AnswerNode& node) {
    switch (node.kind) {
        case Kind::Nil:
            return json.null();
        case Kind::Text:
            return json.value(node.text);
        case Kind::Boolean:
            return json.value(node.text == "true");
        case Kind::Number:
            return json.number(xsd::jsonNumber(node.text));
        case Kind::List:
            return json.array([&] {
                for (const AnswerNode& each : node.items) printJson(json, each);
            });
        case Kind::Object:
            break;
    }
    json.object([&] {
        for (const auto& each : node.members) {
            json.key(each.name);
            if (!each.repeated) {
                printJson(json, each.values.front());
                continue;
            }
            json.array([&] {
                for (const AnswerNode& value : each.values) printJson(json, value);
            });
        }
    });
}

std::string printText(const AnswerNode& node, const std::string& name, std::size_t indent) {
    TextPrinter printer;
    if (node.kind == Kind::Object)
        printer.content(node, indent);
    else
        printer.member(name, node, indent);
    return std::move(printer).take();
}

}  // namespace postbus::cli
