#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/xsd/reader/schema_set.hpp"

/// A WSDL 1.1 as a caller sees it: which ports there are, where, what they are asked and what they answer.
namespace postbus::wsdl {

struct Part {
    std::string name;
    xsd::Name element;  ///< without a local name: a part with a type, which document/literal has no use for
};

enum class Soap { V11, V12 };

/// An operation as one port offers it.
struct PortOperation {
    std::string name;
    std::string doc;
    std::string soapAction;
    std::vector<Part> in, out;           ///< in the Body, in order
    std::vector<std::string> inHeaders;  ///< "{uri}local" of the header blocks that it is asked with
    bool oneWay = false;
    std::string refusal;  ///< why it is none that this reader describes (rpc, encoded); empty: it is document/literal
};

struct Port {
    std::string service, name;
    Soap soap = Soap::V11;
    std::string address;
    std::vector<PortOperation> operations;

    const PortOperation* find(std::string_view operation) const;
};

struct LoadedDocuments;

/// All of it. Owns the documents that it was read from, and what their schemas declare.
struct Description {
    Description();
    Description(Description&&) noexcept;
    Description& operator=(Description&&) noexcept;
    ~Description();

    std::vector<Port> ports;              ///< SOAP over HTTP alone, in the order of the WSDL
    std::vector<std::string> otherPorts;  ///< names of those that are bound to something else
    xsd::SchemaSet schemas;
    std::unique_ptr<LoadedDocuments> documents;
};

}  // namespace postbus::wsdl
