#pragma once

#include <map>
#include <utility>
#include <vector>

#include "cli/call/given.hpp"

namespace postbus::cli {

/// What was given for the content of one element: taken away in order, name by name. Borrows it.
class Supply {
public:
    explicit Supply(const Given& from);

    std::size_t left(const xsd::ElementDeclaration& element) const;
    const Given* take(const xsd::ElementDeclaration& element);  ///< null when nothing is left
    /// Which of all that was given comes next for this part of the content; SIZE_MAX: nothing.
    std::size_t next(const xsd::Particle& particle) const;
    /// How many names of this part of the content something is left for.
    std::size_t covered(const xsd::Particle& particle) const;
    /// Something that was not taken, or null.
    const Given* surplus() const;

private:
    struct Queue {
        std::vector<std::pair<const Given*, std::size_t>> waiting;
        std::size_t used = 0;
    };
    std::size_t next(const xsd::ElementDeclaration& element) const;

    std::map<xsd::Name, Queue> of_;
    std::size_t order_ = 0;
};

}  // namespace postbus::cli
