#pragma once

#include <string_view>

namespace postbus::messaging {

/// The service that a Client is for. Any thread.
class Owner {
public:
    virtual std::string_view name() const = 0;
    /// Between these two its code is needed: it runs, or is owed a call.
    virtual void enter() = 0;
    virtual void leave() = 0;
    /// It let an exception out of a function that it was called by.
    virtual void misbehaved(const char* where) const = 0;

protected:
    ~Owner() = default;
};

}  // namespace postbus::messaging
