#pragma once

#include <Poco/JSON/Object.h>

#include <string>

namespace postbus::cli {

/// Answers of the admin interface about queues, as text for people.
std::string showQueues(const Poco::JSON::Object& answer);
std::string showSent(const Poco::JSON::Object& answer);
/// The bodies alone, as they are, each with an end of line behind it: for pipes.
std::string showReceived(const Poco::JSON::Object& answer);
std::string showBrowsed(const Poco::JSON::Object& answer);
std::string showCount(const Poco::JSON::Object& answer);
std::string showNothing(const Poco::JSON::Object& answer);

}  // namespace postbus::cli
