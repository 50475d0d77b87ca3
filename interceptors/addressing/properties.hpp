#pragma once

#include <postbus/element.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/soap/version_shape.hpp"
#include "core/exchange/note.hpp"
#include "interceptors/addressing/edition.hpp"
#include "interceptors/addressing/problem.hpp"

namespace postbus::addressing {

/// A reference to an endpoint, from a header. Views into the message.
struct EndpointReference {
    Element element;           ///< none: the header is not there
    std::string_view address;  ///< never empty where the header is there

    explicit operator bool() const { return bool(element); }
};

/// The message addressing properties of a request (WS-Addressing 1.0 Core section 3). Views into the exchange's tape,
/// kept with it.
struct Properties final : core::Note {
    const Edition* edition = nullptr;
    soap::Version version = soap::Version::Soap11;
    bool hasAction = false;  ///< the header is there, though it may be empty
    std::string_view to, action, messageId;
    EndpointReference from, replyTo, faultTo;

    std::string answerAction;  ///< of the answer, once there is one

    /// Where faults go: without a FaultTo, where answers do.
    const EndpointReference& faultTarget() const { return faultTo ? faultTo : replyTo; }
};

/// The edition of the addressing headers among these blocks that are meant for us, or null when there are none. In a
/// message with headers of both, 1.0 is the one.
const Edition* editionAmong(Element header, soap::Version version);

/// Reads the headers of `its.edition` that are meant for us into `its`; what can be read is read even if there is a
/// problem. RelatesTo is looked at for its form only: requests that relate to something are requests all the same.
std::optional<Problem> read(Element header, Properties& its);

/// Whether this is the name of a header that read() deals with.
bool isProperty(std::string_view local);

/// The elements that a sender to this endpoint has to put into the header: its reference parameters, in 2004 its
/// reference properties too.
std::vector<Element> referenceParameters(const EndpointReference& reference, const Edition& edition);

}  // namespace postbus::addressing
