#include "base/version.hpp"

namespace postbus {

std::string_view version() { return POSTBUS_VERSION; }

}  // namespace postbus
