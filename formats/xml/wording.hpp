#pragma once

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

#include <string>

namespace postbus::xml {

/// What a caller is told of an error of libxml2: what is wrong with the document, and in which element. libxml2's own
/// words name functions of its own, and some name the wrong thing.
std::string wordingOf(const xmlError& error, const xmlParserCtxt& context);

}  // namespace postbus::xml
