#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cli/call/path.hpp"
#include "formats/xsd/reader/schema_set.hpp"

namespace postbus::cli {

/// What was given for one element of the request.
struct Given {
    const xsd::ElementDeclaration* element = nullptr;  ///< null: the place that holds the request's elements
    const xsd::Type* type = nullptr;                   ///< the element's, or what @xsi:type names
    std::vector<xsd::Child> children;                  ///< of the type
    std::string name;                                  ///< for messages: "order.lines"

    std::optional<std::string> value;
    bool nil = false;
    std::vector<std::pair<const xsd::AttributeDeclaration*, std::string>> attributes;
    std::vector<std::unique_ptr<Given>> parts;  ///< in the order in which they were first named
};

/// Puts KEY=VALUE arguments together to what an operation is to be asked with, guided by the schema.
///
/// A key is a path of local names from the content of the request's element. Without an index it means the last
/// occurrence there is; what that one has already begins the next occurrence of the nearest element that may repeat:
/// lines.sku=A lines.sku=B are two lines. @xsi:type=NAME chooses a derived type, for the keys that follow;
/// @xsi:nil=true says that there is no value.
///
/// A request of one element with a simple type, or of several elements, is named by its elements. Borrows the schemas.
class GivenTree {
public:
    GivenTree(xsd::SchemaSet& schemas, std::vector<const xsd::ElementDeclaration*> elements, std::string operation);

    /// The values of one call in order. Errors are for the user: an unknown key with what could be meant, a value of
    /// the wrong kind with what is expected.
    Result<void> set(const std::vector<std::string>& arguments);

    /// Holds the request's elements as parts, once set() is done: each of them, given or not.
    Given& root() { return root_; }

private:
    struct Key {
        std::string text, value;
        std::vector<Step> steps;
    };

    Given& base();
    Result<void> apply(const Key& key);
    Result<Given*> walk(const Key& key, std::size_t elements, std::size_t begin);
    Result<Given*> step(Given& at, const Step& step, bool begin);
    Result<void> assign(Given& at, const Key& key);
    Result<void> assignAttribute(Given& at, const Key& key);
    Result<void> retype(Given& at, const std::string& name);
    bool taken(const Given& at, const Key& key) const;
    Error unknown(const Given& at, const Step& step);

    xsd::SchemaSet& schemas_;
    std::string operation_;
    Given root_;
    bool within_ = false;  ///< keys begin inside of the only element
};

}  // namespace postbus::cli
