#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "formats/wsdl/reader/load.hpp"
#include "formats/xml/tape.hpp"

namespace postbus::wsdl {

/// A document that was read; the model's components point into its tape.
struct Loaded {
    std::string location;
    xml::Tape tape;
};

/// An element and the document it stands in, for messages.
struct Spot {
    Element node;
    const Loaded* document = nullptr;
};

struct LoadedDocuments {
    std::deque<Loaded> all;         ///< grows at the end: what is there stays where it is
    std::vector<Spot> definitions;  ///< wsdl:definitions, the one that was asked for first
};

/// "stock.wsdl:12: text"
Error problemAt(const Spot& at, const std::string& text);

/// Fetches and parses the WSDL and all it refers to into `description`, the schemas into its set.
Result<void> loadDocuments(const std::string& location, const Fetch& fetch, const LoadLimits& limits,
                           Description& description);

/// Makes the ports of what was loaded.
Result<void> readPorts(Description& description);

}  // namespace postbus::wsdl
