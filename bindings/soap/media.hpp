#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/message/wire.hpp"
#include "formats/mime/media_type.hpp"

namespace postbus::soap {

/// What the head of a request says of its message. Views into the head.
class Media {
public:
    /// Unsupported for a media type that a SOAP message does not come in. Those it does come in are text/xml (SOAP 1.1
    /// section 6), application/soap+xml (RFC 3902) and what clients are seen to send instead: application/xml,
    /// application/soap, application/x-www-form-urlencoded (curl --data) and none at all.
    static Result<Media> of(const core::RequestHead& head);

    /// Its media type is SOAP 1.2's. The envelope has the last word.
    bool soap12() const { return type_.is("application", "soap+xml"); }
    /// Or empty. `memory` is what MediaType::parameter() needs it for.
    std::string_view charset(std::string& memory) const;
    /// From Content-Type's parameter or SOAPAction, the one that the media type's version knows first; unquoted. Empty:
    /// none is given.
    std::string_view action(std::string& memory) const;

private:
    const core::RequestHead* head_ = nullptr;
    mime::MediaType type_;
    bool usual_ = false;  // text/xml in UTF-8, by a spelling that needs no parser
};

}  // namespace postbus::soap
