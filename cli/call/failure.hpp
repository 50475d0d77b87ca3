#pragma once

#include <stdexcept>
#include <string>

#include "cli/exit_status.hpp"

namespace postbus::cli {

/// A call that ends without an answer: what to tell, and the exit status.
class CallFailure : public std::runtime_error {
public:
    CallFailure(ExitStatus status, const std::string& message) : std::runtime_error(message), status_(status) {}
    ExitStatus status() const { return status_; }

private:
    ExitStatus status_;
};

}  // namespace postbus::cli
