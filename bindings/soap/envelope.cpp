#include "bindings/soap/envelope.hpp"

#include <optional>
#include <string_view>

namespace postbus::soap {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// SOAP 1.1 knows "1" and "0" (its schema, and WS-I Basic Profile 1.1 R1013), SOAP 1.2 any xs:boolean. None: neither.
std::optional<bool> mustUnderstand(Element block, Version version) {
    const auto attribute = block.attribute(shapeOf(version).uri, "mustUnderstand");
    if (!attribute) return false;
    const std::string_view value = trimmed(*attribute);
    if (value == "1") return true;
    if (value == "0") return false;
    if (version == Version::Soap12 && value == "true") return true;
    if (version == Version::Soap12 && value == "false") return false;
    return std::nullopt;
}

Error malformed(Element where, const std::string& what) {
    return Error::invalid("SOAP envelope: " + what + lineOf(where));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool isForUs(Element block, Version version) {
    const std::string_view uri = shapeOf(version).uri;
    const auto role = block.attribute(uri, version == Version::Soap12 ? "role" : "actor");
    const std::string_view name = role ? trimmed(*role) : std::string_view{};
    if (name.empty()) return true;
    if (version == Version::Soap11) return name == "http://schemas.xmlsoap.org/soap/actor/next";
    return name == "http://www.w3.org/2003/05/soap-envelope/role/next" ||
           name == "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver";
}

std::string nameOf(Element element) { return "{" + std::string(element.uri()) + "}" + std::string(element.local()); }

std::string lineOf(Element element) {
    return element.line() ? " (line " + std::to_string(element.line()) + ")" : std::string();
}

bool holdsText(Element element) {
    const postbus_tape& tape = *element.tape();
    for (std::uint32_t i = element.content(); i < element.node().next; i = tape.nodes[i].next) {
        const postbus_node& each = tape.nodes[i];
        if (each.kind != POSTBUS_NODE_TEXT) continue;
        if (std::string_view(tape.text + each.text, each.length).find_first_not_of(blanks) != std::string_view::npos)
            return true;
    }
    return false;
}

Result<Version> versionOf(Element root) {
    if (root.local() != "Envelope")
        return Error::invalid("this is no SOAP message: its root element is " + nameOf(root) + ", not an Envelope");
    if (root.uri() == shape11.uri) return Version::Soap11;
    if (root.uri() == shape12.uri) return Version::Soap12;
    return Error(Error::Kind::VersionMismatch,
                 "an Envelope of namespace '" + std::string(root.uri()) + "' is of no SOAP version that is known here");
}

Result<Envelope> openEnvelope(Element root, Version version) {
    const std::string_view uri = shapeOf(version).uri;
    if (holdsText(root)) return malformed(root, "there is text outside of its Header and Body");
    Envelope opened;
    Element part = root.firstChild();
    if (part && part.is(uri, "Header")) {
        if (holdsText(part)) return malformed(part, "there is text outside of the header blocks");
        opened.header = part;
        part = part.next();
    }
    if (!part) return malformed(root, "it has no Body");
    if (opened.header && part.is(uri, "Header")) return malformed(part, "a second Header");
    if (!part.is(uri, "Body")) return malformed(part, nameOf(part) + " stands where the Body is due");
    opened.body = part;
    for (part = part.next(); part; part = part.next()) {
        if (version == Version::Soap12) return malformed(part, nameOf(part) + " stands behind the Body");
        if (part.is(uri, "Body") || (part.uri() == uri && opened.header))
            return malformed(part, "a second " + std::string(part.local()));
        if (part.uri() == uri) return malformed(part, nameOf(part) + " stands behind the Body");
    }
    return opened;
}

Result<void> checkHeaders(Element header, Version version, const Understood& understood) {
    if (!header) return ok();
    std::string notUnderstood;
    for (Element block = header.firstChild(); block; block = block.next()) {
        if (!isForUs(block, version)) continue;
        const std::optional<bool> must = mustUnderstand(block, version);
        if (!must)
            return malformed(block, "mustUnderstand of header " + nameOf(block) + " is neither " +
                                        (version == Version::Soap12 ? "true nor false" : "1 nor 0"));
        if (!*must || (understood && understood(block))) continue;
        (notUnderstood += notUnderstood.empty() ? "" : ", ") += nameOf(block);
    }
    if (notUnderstood.empty()) return ok();
    return Error(Error::Kind::MustUnderstand, "a header that must be understood is not: " + notUnderstood);
}

std::vector<Element> mandatoryHeaders(Element header, Version version, const Understood& understood) {
    std::vector<Element> mandatory;
    if (!header) return mandatory;
    for (Element block = header.firstChild(); block; block = block.next())
        if (isForUs(block, version) && mustUnderstand(block, version).value_or(false) &&
            !(understood && understood(block)))
            mandatory.push_back(block);
    return mandatory;
}

}  // namespace postbus::soap
