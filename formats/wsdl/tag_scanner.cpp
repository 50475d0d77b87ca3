#include "formats/wsdl/tag_scanner.hpp"

#include <cstddef>

namespace postbus::wsdl {
namespace {

constexpr std::string_view blanks = " \t\r\n";

struct Declaration {
    std::string_view prefix, uri;
    std::size_t depth;
};

class Scanner {
public:
    Scanner(std::string_view rest, const std::function<void(const Tag&)>& visit) : rest_(rest), visit_(visit) {}

    void run() {
        while (skipTo("<")) {
            if (rest_.starts_with("<!--"))
                skipBehind("-->");
            else if (rest_.starts_with("<![CDATA["))
                skipBehind("]]>");
            else if (rest_.starts_with("<?"))
                skipBehind("?>");
            else if (rest_.starts_with("</"))
                endTag();
            else if (rest_.starts_with("<!"))
                skipBehind(">");
            else
                startTag();
        }
    }

private:
    bool skipTo(std::string_view text) {
        const std::size_t at = rest_.find(text);
        rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
        return !rest_.empty();
    }
    void skipBehind(std::string_view text) {
        if (skipTo(text)) rest_.remove_prefix(text.size());
    }
    void skipBlanks() {
        const std::size_t at = rest_.find_first_not_of(blanks);
        rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
    }
    std::string_view take(std::string_view until) {
        const std::string_view taken = rest_.substr(0, rest_.find_first_of(until));
        rest_.remove_prefix(taken.size());
        return taken;
    }

    void endTag() {
        skipBehind(">");
        leave();
    }

    void startTag() {
        rest_.remove_prefix(1);
        const std::string_view name = take(" \t\r\n/>");
        Tag tag;
        ++depth_;
        attributes(tag);
        const bool empty = rest_.starts_with("/");
        skipBehind(">");

        const std::size_t colon = name.find(':');
        const bool prefixed = colon != std::string_view::npos;
        tag.uri = lookup(prefixed ? name.substr(0, colon) : std::string_view{});
        tag.local = prefixed ? name.substr(colon + 1) : name;
        visit_(tag);
        if (empty) leave();
    }

    void attributes(Tag& tag) {
        for (skipBlanks(); !rest_.empty() && rest_.front() != '/' && rest_.front() != '>'; skipBlanks()) {
            const std::string_view name = take(" \t\r\n=/>");
            skipBlanks();
            if (!rest_.starts_with("=")) return;
            rest_.remove_prefix(1);
            skipBlanks();
            if (rest_.empty()) return;
            const std::string_view quote = rest_.substr(0, 1);
            rest_.remove_prefix(1);
            const std::string_view value = take(quote);
            if (rest_.empty()) return;
            rest_.remove_prefix(1);
            if (name == "xmlns")
                scope_.push_back({{}, value, depth_});
            else if (name.starts_with("xmlns:"))
                scope_.push_back({name.substr(6), value, depth_});
            else
                tag.attributes.emplace_back(name, value);
        }
    }

    void leave() {
        while (!scope_.empty() && scope_.back().depth >= depth_) scope_.pop_back();
        if (depth_) --depth_;
    }

    std::string_view lookup(std::string_view prefix) const {
        for (auto each = scope_.rbegin(); each != scope_.rend(); ++each)
            if (each->prefix == prefix) return each->uri;
        return {};
    }

    std::string_view rest_;
    const std::function<void(const Tag&)>& visit_;
    std::vector<Declaration> scope_;
    std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::string_view> Tag::attribute(std::string_view name) const {
    for (const auto& [its, value] : attributes)
        if (its == name) return value;
    return std::nullopt;
}

void scanTags(std::string_view document, const std::function<void(const Tag&)>& visit) {
    Scanner(document, visit).run();
}

}  // namespace postbus::wsdl
