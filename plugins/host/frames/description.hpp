#pragma once

#include <postbus/abi.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/result.hpp"

/// Hello: what a host says of the plugin that it has loaded and started.
namespace postbus::host {

/// A service, as its own table and its calls of postbus_host.define have it: the text of both members' pointers is the
/// plugin's, or that of the Description that was read.
struct DescribedService {
    postbus_str name{}, ns{}, version{}, path{}, implementation{}, doc{};
    std::vector<postbus_operation> operations;
};

/// What a plugin brings, with the memory of all that its tables point to. It moves, and the pointers stay good.
class Description {
public:
    postbus_str plugin{}, version{};
    std::vector<DescribedService> services;

    /// As a whole frame. Too large for any, or with more types than any plugin has (1,000 a plugin): an error, and
    /// nothing is written.
    Result<void> write(Buffer& out) const;
    /// From a frame's body, which is copied. Every pointer and count of the tables is good then; whether kinds and
    /// names make a contract is for those to say who look at a plugin's tables anyway.
    static Result<Description> read(std::string_view body);

private:
    struct Memory;
    std::shared_ptr<const Memory> memory_;
};

}  // namespace postbus::host
