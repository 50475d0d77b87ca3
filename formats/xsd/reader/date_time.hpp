#pragma once

#include <string_view>

namespace postbus::xsd {

/// Whether it is a value of xs:date, xs:time, xs:dateTime: fields in their range, February and leap years included, a
/// time zone where one is wanted. No white space around it.
bool isDate(std::string_view text);
bool isTime(std::string_view text);
bool isDateTime(std::string_view text);

}  // namespace postbus::xsd
