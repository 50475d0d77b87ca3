#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postbus::xsd {

/// Writes a document for people to read: indented, one element a line. For schemas and WSDLs, which are made once; for
/// messages there is xml::Writer. Names are written as they are given, values escaped.
class Markup {
public:
    /// An attribute whose value has no data (a default std::string_view) is left out.
    using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    Markup() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

    void open(std::string_view name, Attributes attributes = {});
    void close();
    void leaf(std::string_view name, Attributes attributes = {});
    void element(std::string_view name, std::string_view text);

    std::string take() && { return std::move(text_); }

private:
    void tag(std::string_view name, Attributes attributes);

    std::string text_;
    std::vector<std::string> open_;
};

}  // namespace postbus::xsd
