#pragma once

#include <Poco/JSON/Object.h>

#include <string>

namespace postbus::cli {

/// An answer of the admin interface as text for people.
std::string showStatus(const Poco::JSON::Object& answer);
std::string showEndpoints(const Poco::JSON::Object& answer);
std::string showPlugins(const Poco::JSON::Object& answer);
std::string showExchanges(const Poco::JSON::Object& answer);
std::string showReload(const Poco::JSON::Object& answer);

}  // namespace postbus::cli
