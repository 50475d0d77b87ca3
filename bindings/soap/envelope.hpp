#pragma once

#include <postbus/element.hpp>

#include <string>
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

/// Checks the header blocks that are meant for us (SOAP 1.1 section 4.2, SOAP 1.2 section 5.2): MustUnderstand when one
/// of them must be understood, since none is so far; Invalid when its mustUnderstand is no boolean of that version.
Result<void> checkHeaders(Element header, Version version);

/// The header blocks meant for us that must be understood.
std::vector<Element> mandatoryHeaders(Element header, Version version);

/// Whether there is text other than white space directly inside of `element`.
bool holdsText(Element element);

/// "{uri}local", as our messages name an element.
std::string nameOf(Element element);
/// " (line 3)", or nothing where the line is not known.
std::string lineOf(Element element);

}  // namespace postbus::soap
