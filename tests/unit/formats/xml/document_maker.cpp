#include "document_maker.hpp"

namespace postbus::xml::test {
namespace {

const std::vector<std::string_view> prefixes = {"", "", "p", "q", "r"};
const std::vector<std::string_view> uris = {"urn:p", "urn:q", "urn:p", "http://example.org/?a=1&amp;b=2",
                                            "no uri at all"};
const std::vector<std::string_view> locals = {"a", "b", "item", "x-1", "_y", "z.z", "N\xC3\xA4me"};
const std::vector<std::string_view> pieces = {"text",
                                              " ",
                                              "\n  ",
                                              "&amp;",
                                              "&lt;",
                                              "&gt;",
                                              "&quot;",
                                              "&apos;",
                                              "&#13;",
                                              "&#x20AC;",
                                              "\t",
                                              "\r\n",
                                              "\r",
                                              "'",
                                              "]] &gt;",
                                              "p:q",
                                              "\xC3\xA4",
                                              "\xE6\x97\xA5",
                                              "\xF0\x9F\x98\x80",
                                              "&#10;",
                                              "-->",
                                              "0123456789abcdef"};
const std::vector<std::string_view> dropped = {"<!-- comment -->", "<!---->", "<!-- <a> & ' -->", "<![CDATA[]]>"};
const std::vector<std::string_view> sections = {"<![CDATA[x]]>", "<![CDATA[<b> & ]] > \r\n]]>",
                                                "<![CDATA[\xE6\x97\xA5]]]>"};
// What tends to matter to parsers.
const std::vector<std::string_view> tokens = {"<",
                                              ">",
                                              "&",
                                              "'",
                                              "\"",
                                              "=",
                                              "/",
                                              "/>",
                                              "</",
                                              "<!--",
                                              "-->",
                                              "--",
                                              "<![CDATA[",
                                              "]]>",
                                              "<?",
                                              "?>",
                                              "<?xml version='1.0'?>",
                                              "<!DOCTYPE a>",
                                              ":",
                                              "xmlns",
                                              "xmlns:p=''",
                                              " xmlns='urn:x'",
                                              " xmlns:q='urn:q'",
                                              " p:x='1'",
                                              "xml:",
                                              "&#0;",
                                              "&#x1F;",
                                              "&#xD800;",
                                              "&nope;",
                                              "&#38;",
                                              "&amp;",
                                              ";",
                                              "#",
                                              "x",
                                              " ",
                                              "\n",
                                              "\r",
                                              "\t",
                                              std::string_view("\0", 1),
                                              "\x01",
                                              "\x7F",
                                              "\x80",
                                              "\xC0\x80",
                                              "\xED\xA0\x80",
                                              "\xEF\xBF\xBF",
                                              "\xEF\xBB\xBF",
                                              "\xFF",
                                              "<b>",
                                              "</b>",
                                              "<b/>",
                                              "1",
                                              "-",
                                              ".",
                                              "xml",
                                              "version",
                                              "encoding='x'",
                                              "standalone='yes'"};

}  // namespace

std::string DocumentMaker::space() { return oneIn(4) ? "\n " : oneIn(4) ? " \t" : " "; }

std::string DocumentMaker::text() {
    std::string out;
    for (std::size_t i = below(4); i > 0; --i) out += any(oneIn(5) ? sections : oneIn(5) ? dropped : pieces);
    return out;
}

std::string DocumentMaker::value() {
    const char quote = oneIn(2) ? '\'' : '"';
    std::string out(1, quote);
    for (std::size_t i = below(4); i > 0; --i) {
        const std::string_view piece = any(pieces);
        if (piece.find(quote) == std::string_view::npos) out += piece;
    }
    return out + quote;
}

std::string DocumentMaker::attributes(bool root) {
    std::string out;
    for (const std::string_view prefix : {"", "p", "q", "r"}) {
        if (prefix.empty() ? oneIn(6) : root || oneIn(12)) {
            out += space() + (prefix.empty() ? "xmlns" : "xmlns:") + std::string(prefix) + "='";
            // The prefixes used for attributes of one name must not mean the same: each has a namespace of its own.
            if (!prefix.empty())
                out += "urn:" + std::string(prefix) + (oneIn(3) ? "&amp;2" : "");
            else if (root || oneIn(2))
                out += any(uris);
            out += "'";
        }
    }
    for (const std::string_view local : locals)
        if (oneIn(8)) {
            const std::string_view prefix = any(prefixes);
            out += space() + std::string(prefix) + (prefix.empty() ? "" : ":") + std::string(local) + "=" + value();
        }
    if (oneIn(20)) out += " xml:lang='de'";
    return out;
}

void DocumentMaker::element(std::string& out, std::size_t depth) {
    const std::string_view prefix = any(prefixes);
    const std::string name = std::string(prefix) + (prefix.empty() ? "" : ":") + std::string(any(locals));
    out += "<" + name + attributes(depth == 0);
    if (oneIn(4)) {
        out += "/>";
        return;
    }
    out += ">" + text();
    for (std::size_t i = depth < 5 ? below(4) : 0; i > 0; --i) {
        element(out, depth + 1);
        out += text();
    }
    out += "</" + name + (oneIn(9) ? " >" : ">");
}

std::string DocumentMaker::good() {
    std::string out;
    if (oneIn(2)) out += "<?xml version='1.0'?>";
    if (oneIn(5)) out += "\n<!-- before -->";
    element(out, 0);
    if (oneIn(5)) out += "<!-- behind -->\n";
    return out;
}

std::string DocumentMaker::mutated(std::string document) {
    for (std::size_t i = 1 + below(3); i > 0 && !document.empty(); --i) {
        const std::size_t at = below(document.size());
        switch (below(6)) {
            case 0:
                document[at] = static_cast<char>(random_());
                break;
            case 1:
                document.erase(at, 1 + below(4));
                break;
            case 2:
                document.insert(at, any(tokens));
                break;
            case 3:
                document.insert(at, document.substr(below(document.size()), below(20)));
                break;
            case 4:
                document.replace(at, 1, any(tokens));
                break;
            default:
                document.resize(oneIn(3) ? at : document.size());
        }
    }
    return document;
}

}  // namespace postbus::xml::test
