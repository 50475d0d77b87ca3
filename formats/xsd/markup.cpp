#include "formats/xsd/markup.hpp"

#include "formats/xsd/text.hpp"

namespace postbus::xsd {

void Markup::tag(std::string_view name, Attributes attributes) {
    text_.append(2 * open_.size(), ' ').append("<").append(name);
    for (const auto& [key, value] : attributes) {
        if (!value.data()) continue;
        text_.append(" ").append(key).append("=\"");
        appendAttribute(text_, value);
        text_ += '"';
    }
}

void Markup::open(std::string_view name, Attributes attributes) {
    tag(name, attributes);
    text_ += ">\n";
    open_.emplace_back(name);
}

void Markup::close() {
    const std::string name = std::move(open_.back());
    open_.pop_back();
    text_.append(2 * open_.size(), ' ').append("</").append(name).append(">\n");
}

void Markup::leaf(std::string_view name, Attributes attributes) {
    tag(name, attributes);
    text_ += "/>\n";
}

void Markup::element(std::string_view name, std::string_view text) {
    tag(name, {});
    text_ += '>';
    appendContent(text_, text);
    text_.append("</").append(name).append(">\n");
}

}  // namespace postbus::xsd
