#pragma once

#include <string>
#include <utility>
#include <vector>

#include "admin/queue_json.hpp"
#include "base/result.hpp"

namespace postbus::admin {

/// A message's properties as the fields of an HTTP answer whose body is the message's.
struct MessageFields {
    std::string contentType;  ///< the message's own, if it is one that HTTP can carry; may be empty
    std::vector<std::pair<std::string, std::string>> fields;
};

/// The fields that docs/queues.md names. Their values are percent-encoded wherever they hold something else than
/// visible ASCII and single blanks, so that no message can write a field of its own. TooLarge where clients would not
/// take so many of them.
Result<MessageFields> fieldsOf(const ShownMessage& shown);

}  // namespace postbus::admin
