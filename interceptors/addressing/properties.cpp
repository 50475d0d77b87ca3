#include "interceptors/addressing/properties.hpp"

#include <array>
#include <string>

#include "bindings/soap/envelope.hpp"

namespace postbus::addressing {
namespace {

using Kind = Problem::Kind;

constexpr std::array<std::string_view, 7> names{"To", "From", "ReplyTo", "FaultTo", "Action", "MessageID", "RelatesTo"};

/// One that may stand there once, or a place to note that it does.
struct Seen {
    std::array<bool, names.size()> once{};
};

Problem problem(Kind kind, Element block, std::string_view what) {
    std::string reason = "WS-Addressing header " + std::string(block.local());
    return {kind, block.local(), reason.append(" ").append(what).append(soap::lineOf(block))};
}

/// The text of an element that holds nothing but text.
std::optional<std::string_view> textOf(Element element) {
    const auto text = element.simpleText();
    if (!text) return std::nullopt;
    return soap::trimmed(*text);
}

/// Nothing that no IRI holds (RFC 3987 section 2.2, without its finer points).
bool isIri(std::string_view text) {
    constexpr std::string_view never = "<>\"{}|\\^`\x7f";
    for (const char c : text)
        if (static_cast<unsigned char>(c) <= ' ' || never.find(c) != std::string_view::npos) return false;
    return !text.empty();
}

bool isAbsoluteIri(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size()) return false;
    for (const char c : text.substr(0, colon)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') return false;
    }
    return isIri(text);
}

std::optional<Problem> readAddress(Element block, Element holder, std::string_view& address) {
    const auto text = textOf(holder);
    if (!text || !isAbsoluteIri(*text)) return problem(Kind::InvalidAddress, block, "holds no absolute IRI");
    address = *text;
    return std::nullopt;
}

/// An identifier, which nobody looks up: clients are seen to leave out its scheme.
std::optional<Problem> readIdentifier(Element block, std::string_view& identifier) {
    const auto text = textOf(block);
    if (!text || !isIri(*text)) return problem(Kind::InvalidAddress, block, "holds no IRI");
    identifier = *text;
    return std::nullopt;
}

bool isForbiddenParameter(Element parameter) {
    return editionOf(parameter.uri()) || parameter.uri() == soap::shape11.uri || parameter.uri() == soap::shape12.uri;
}

std::optional<Problem> readReference(Element block, const Edition& edition, EndpointReference& reference) {
    if (soap::holdsText(block)) return problem(Kind::InvalidEpr, block, "holds text instead of an endpoint reference");
    Element address;
    for (Element each = block.firstChild(); each; each = each.next()) {
        if (!each.is(edition.uri, "Address")) continue;
        if (address) return problem(Kind::InvalidEpr, block, "has two addresses");
        address = each;
    }
    if (!address) return problem(Kind::MissingAddressInEpr, block, "has no Address");
    std::string_view text;
    if (auto bad = readAddress(block, address, text)) return bad;
    reference = {block, text};
    // They would pass for headers of the answer itself.
    for (const Element each : referenceParameters(reference, edition))
        if (isForbiddenParameter(each)) {
            reference = {};
            return problem(Kind::InvalidEpr, block, "has a reference parameter " + soap::nameOf(each));
        }
    return std::nullopt;
}

std::optional<Problem> readAction(Element block, Properties& its) {
    its.hasAction = true;
    const auto text = textOf(block);
    // Empty from clients whose WSDL names no action (zeep): as if their SOAPAction were "".
    if (text && text->empty()) return std::nullopt;
    return readIdentifier(block, its.action);
}

std::optional<Problem> readOne(Element block, Properties& its) {
    const std::string_view name = block.local();
    if (name == "Action") return readAction(block, its);
    if (name == "To") return readAddress(block, block, its.to);
    if (name == "MessageID") return readIdentifier(block, its.messageId);
    if (name == "From") return readReference(block, *its.edition, its.from);
    if (name == "ReplyTo") return readReference(block, *its.edition, its.replyTo);
    if (name == "FaultTo") return readReference(block, *its.edition, its.faultTo);
    std::string_view related;
    return readIdentifier(block, related);
}

std::optional<std::size_t> indexOf(std::string_view local) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == local) return i;
    return std::nullopt;
}

}  // namespace

const Edition* editionAmong(Element header, soap::Version version) {
    const Edition* found = nullptr;
    for (Element block = header.firstChild(); block; block = block.next()) {
        const Edition* its = editionOf(block.uri());
        if (!its || its == found || !isProperty(block.local()) || !soap::isForUs(block, version)) continue;
        if (its == &edition10) return its;
        found = its;
    }
    return found;
}

std::optional<Problem> read(Element header, Properties& its) {
    std::optional<Problem> first;
    Seen seen;
    for (Element block = header.firstChild(); block; block = block.next()) {
        const auto index = block.uri() == its.edition->uri ? indexOf(block.local()) : std::nullopt;
        if (!index || !soap::isForUs(block, its.version)) continue;
        std::optional<Problem> bad;
        if (std::exchange(seen.once[*index], true) && block.local() != "RelatesTo")
            bad = problem(Kind::InvalidCardinality, block, "stands there twice");
        else
            bad = readOne(block, its);
        if (!first) first = std::move(bad);
    }
    return first;
}

bool isProperty(std::string_view local) { return indexOf(local).has_value(); }

std::vector<Element> referenceParameters(const EndpointReference& reference, const Edition& edition) {
    std::vector<Element> all;
    for (Element each = reference.element.firstChild(); each; each = each.next()) {
        const bool holds = each.is(edition.uri, "ReferenceParameters") ||
                           (&edition == &edition2004 && each.is(edition.uri, "ReferenceProperties"));
        for (Element inner = holds ? each.firstChild() : Element{}; inner; inner = inner.next()) all.push_back(inner);
    }
    return all;
}

}  // namespace postbus::addressing
