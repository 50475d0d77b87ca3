#pragma once

#include <Poco/JSON/Object.h>

#include <string>

#include "cli/admin_client.hpp"
#include "cli/arguments.hpp"

namespace postbus::cli {

/// What a body says; null when it is no JSON object.
Poco::JSON::Object::Ptr parsed(const std::string& body);

/// Why an answer is no 2xx, as a line for people. `object`: its body.
std::string refusal(const AdminClient::Answer& answer, const Poco::JSON::Object::Ptr& object);

/// Prints an answer: as it is for --json, by `show` when it is a 200, why not otherwise. Whether it is one.
bool tell(const Arguments& arguments, const AdminClient::Answer& answer, const Poco::JSON::Object::Ptr& object,
          std::string (*show)(const Poco::JSON::Object&));

}  // namespace postbus::cli
