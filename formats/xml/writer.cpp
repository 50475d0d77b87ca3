#include "formats/xml/writer.hpp"

#include <algorithm>
#include <cstring>

#include "formats/xml/chars.hpp"

namespace postbus::xml {

void Writer::begin(Buffer& out) {
    out_ = &out;
    open_.clear();
    bindings_.clear();
    attributes_.clear();
    scopeText_.clear();
    inTag_ = false;
    error_.clear();
}

void Writer::fail(std::string_view what, std::string_view which) {
    if (failed()) return;
    error_ = what;
    if (which.empty()) return;
    error_ += " '";
    appendPrintable(error_, which, 100);
    error_ += '\'';
}

void Writer::start(std::string_view uri, std::string_view local, std::string_view prefix) {
    if (failed()) return;
    beginTag();
    openTag(uri, local, prefix);
}

/// From here on bindings belong to the element whose tag openTag() is about to write.
void Writer::beginTag() {
    closeTag();
    open_.push_back(
        {0, 0, unbound, static_cast<std::uint32_t>(bindings_.size()), static_cast<std::uint32_t>(scopeText_.size())});
    inTag_ = true;
}

void Writer::openTag(std::string_view uri, std::string_view local, std::string_view wish) {
    if (!isNcName(local)) return fail("not the name of an element:", local);
    const std::uint32_t binding = forElement(uri, wish);
    if (failed()) return;
    out_->append('<');
    Open& element = open_.back();
    element.name = out_->size();
    writeName(binding, local);
    element.nameLength = static_cast<std::uint32_t>(out_->size() - element.name);
    element.binding = binding;
    for (std::uint32_t i = element.bindings; i < bindings_.size(); ++i) writeDeclaration(i);
}

void Writer::writeName(std::uint32_t binding, std::string_view local) {
    const std::string_view prefix = prefixOf(binding);
    if (!prefix.empty()) {
        out_->append(prefix);
        out_->append(':');
    }
    out_->append(local);
}

void Writer::writeDeclaration(std::uint32_t binding) {
    const std::string_view prefix = prefixOf(binding);
    out_->append(prefix.empty() ? " xmlns" : " xmlns:");
    out_->append(prefix);
    out_->append("=\"");
    if (!appendAttributeValue(*out_, uriOf(binding)))
        fail("a character that XML does not allow in the namespace", uriOf(binding));
    out_->append('"');
}

void Writer::declare(std::string_view prefix, std::string_view uri) {
    if (failed()) return;
    if (!inTag_) return fail("a declaration that follows no start:", prefix);
    if (prefix == "xml" && uri == xmlNamespace) return;
    const std::uint32_t now = find(prefix);
    if (now == unbound ? prefix.empty() && uri.empty() : uriOf(now) == uri) return;
    if (usedInTag(prefix)) return fail("the element already uses this prefix otherwise:", prefix);
    const std::uint32_t binding = bind(prefix, uri);
    if (!failed()) writeDeclaration(binding);
}

void Writer::attribute(std::string_view uri, std::string_view local, std::string_view prefix, std::string_view value) {
    if (failed()) return;
    if (!inTag_) return fail("an attribute that follows no start:", local);
    if (!isNcName(local) || (uri.empty() && local == "xmlns")) return fail("not the name of an attribute:", local);
    const std::size_t before = bindings_.size();
    const std::uint32_t binding = forAttribute(uri, prefix);
    if (failed()) return;
    if (bindings_.size() > before) writeDeclaration(binding);
    out_->append(' ');
    writeName(binding, local);
    attributes_.push_back({out_->size() - local.size(), static_cast<std::uint32_t>(local.size()), binding});
    out_->append("=\"");
    if (!appendAttributeValue(*out_, value)) fail("a character that XML does not allow in the attribute", local);
    out_->append('"');
}

void Writer::text(std::string_view text) {
    if (failed() || text.empty()) return;
    closeTag();
    if (appendText(*out_, text)) return;
    fail("a character that XML does not allow in the text of",
         open_.empty() ? "the document" : out_->view().substr(open_.back().name, open_.back().nameLength));
}

void Writer::end() {
    if (failed()) return;
    if (open_.empty()) return fail("an end without a start");
    const Open element = open_.back();
    if (inTag_) {
        checkAttributes();
        out_->append("/>");
        inTag_ = false;
    } else {
        char* const to = out_->prepare(element.nameLength + 3);
        to[0] = '<';
        to[1] = '/';
        std::memcpy(to + 2, out_->data() + element.name, element.nameLength);
        to[2 + element.nameLength] = '>';
        out_->commit(element.nameLength + 3);
    }
    bindings_.resize(element.bindings);
    scopeText_.resize(element.text);
    open_.pop_back();
}

void Writer::closeTag() {
    if (!inTag_) return;
    checkAttributes();
    out_->append('>');
    inTag_ = false;
}

/// No two attributes of a name, be their prefixes the same or not (Namespaces in XML section 6.3).
void Writer::checkAttributes() {
    const auto before = [this](const Attribute& a, const Attribute& b) {
        const int order = localOf(a).compare(localOf(b));
        return order < 0 || (order == 0 && uriOf(a.binding) < uriOf(b.binding));
    };
    if (attributes_.size() > 1) {
        std::sort(attributes_.begin(), attributes_.end(), before);
        const auto twice = std::adjacent_find(attributes_.begin(), attributes_.end(),
                                              [&](const Attribute& a, const Attribute& b) { return !before(a, b); });
        if (twice != attributes_.end()) fail("two attributes of one name:", localOf(*twice));
    }
    attributes_.clear();
}

Result<void> Writer::finish() const {
    if (failed()) return Error::internal("writing XML: " + error_);
    if (open_.empty()) return ok();
    const std::string_view name = out_->view().substr(open_.back().name, open_.back().nameLength);
    return Error::internal("writing XML: the element '" + std::string(name) + "' is not closed");
}

}  // namespace postbus::xml
