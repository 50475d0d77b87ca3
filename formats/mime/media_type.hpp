#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::mime {

/// A media type with its parameters, the value of Content-Type (RFC 9110 section 8.3.1): `text/xml; charset="utf-8"`.
///
/// Views of the field it was read from, which must outlive it; nothing is allocated. Names and the type itself are
/// compared without regard to the case of ASCII letters.
class MediaType {
public:
    static constexpr int mostParameters = 32;

    /// Strict about what would be ambiguous: a parameter given twice, white space around '=', a quote that is not
    /// closed. Lenient where clients are and nothing is lost: an unquoted value may hold any visible ASCII but quotes,
    /// ';', ',' and '\' (`type=text/xml`, `action=urn:a:b`), where the grammar has tokens only.
    static Result<MediaType> parse(std::string_view field);

    std::string_view type() const { return type_; }
    std::string_view subtype() const { return subtype_; }
    bool is(std::string_view type, std::string_view subtype) const;

    /// The value of a parameter, without quotes. Escapes are taken out of a quoted value into `memory`, whose content
    /// is then what the view shows; seldom needed.
    std::optional<std::string_view> parameter(std::string_view name, std::string& memory) const;

private:
    std::string_view type_, subtype_, parameters_;
};

/// Whether two texts are equal but for the case of ASCII letters.
bool sameIgnoringCase(std::string_view a, std::string_view b);

}  // namespace postbus::mime
