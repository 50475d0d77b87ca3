#pragma once

#include <Poco/JSON/Object.h>

#include <string>

#include "cli/admin_client.hpp"

namespace postbus::cli {

/// What a body says; null when it is no JSON object.
Poco::JSON::Object::Ptr parsed(const std::string& body);

/// Why an answer is no 2xx, as a line for people. `object`: its body.
std::string refusal(const AdminClient::Answer& answer, const Poco::JSON::Object::Ptr& object);

}  // namespace postbus::cli
