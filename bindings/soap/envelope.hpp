#pragma once

#include <postbus/element.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bindings/soap/version_shape.hpp"

namespace postbus::soap {

/// The parts of an envelope. Borrows the tape.
struct Envelope {
    Element header;  ///< or none
    Element body;
};

/// Which version the root element says the message is: Invalid when it is no Envelope, VersionMismatch when it is one
/// of another namespace (SOAP 1.1 section 4.1.2, SOAP 1.2 section 2.8).
Result<Version> versionOf(Element root);

/// Checks what an envelope is made of: an optional Header, then one Body (SOAP 1.1 section 4.1.1; SOAP 1.2 section 5.1,
/// where nothing may follow).
Result<Envelope> openEnvelope(Element root, Version version);

/// Whether somebody has dealt with a header block; empty: nobody with any.
using Understood = std::function<bool(Element block)>;

/// Checks the header blocks that are meant for us (SOAP 1.1 section 4.2, SOAP 1.2 section 5.2): MustUnderstand when one
/// of them must be understood and is not; Invalid when its mustUnderstand is no boolean of that version.
Result<void> checkHeaders(Element header, Version version, const Understood& understood);

/// The header blocks meant for us that must be understood and are not.
std::vector<Element> mandatoryHeaders(Element header, Version version, const Understood& understood);

/// Whether a header block is for the one who answers, which is us: SOAP 1.1 section 4.2.2, SOAP 1.2 section 2.2.
bool isForUs(Element block, Version version);
/// Without the white space of XML around it.
std::string_view trimmed(std::string_view text);

/// Whether there is text other than white space directly inside of `element`.
bool holdsText(Element element);

/// "{uri}local", as our messages name an element.
std::string nameOf(Element element);
/// " (line 3)", or nothing where the line is not known.
std::string lineOf(Element element);

}  // namespace postbus::soap
