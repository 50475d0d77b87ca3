#pragma once

#include <postbus/fields.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/units.hpp"

/// A configuration with a field of every type that can be read.
namespace sample {

using postbus::enumerator;
using postbus::field;

enum class Colour { red, green };
constexpr auto enumerators(Colour) {
    return std::array{enumerator("red", Colour::red), enumerator("green", Colour::green)};
}

struct Queue {
    std::string name = "unnamed";
    std::uint16_t depth = 1024;
    std::int8_t priority = 0;

    static constexpr std::string_view shorthand = "name";
    static constexpr auto fields() {
        return std::tuple{field("name", &Queue::name), field("depth", &Queue::depth),
                          field("priority", &Queue::priority)};
    }
};

struct Plain {
    bool flag = false;
    double ratio = 0.5;

    static constexpr auto fields() { return std::tuple{field("flag", &Plain::flag), field("ratio", &Plain::ratio)}; }
};

struct Root {
    std::string text = "default";
    Plain plain;
    Colour colour = Colour::red;
    std::vector<Colour> colours{Colour::green};
    std::int64_t big = 0;
    std::uint64_t huge = 0;
    postbus::milliseconds pause{5'000};
    postbus::ByteSize size{512};
    std::optional<Plain> maybe;
    std::vector<Queue> queues{Queue{}};
    std::map<std::string, Queue> named;

    static constexpr auto fields() {
        return std::tuple{
            field("text", &Root::text),       field("plain", &Root::plain), field("colour", &Root::colour),
            field("colours", &Root::colours), field("big", &Root::big),     field("huge", &Root::huge),
            field("pause", &Root::pause),     field("size", &Root::size),   field("maybe", &Root::maybe),
            field("queues", &Root::queues),   field("named", &Root::named)};
    }
};

}  // namespace sample
