/// The structs of the test service Types: every kind of member that a struct may have.
#pragma once

#include <postbus/plugin.hpp>

namespace types {

using postbus::field;

enum class Colour { Red, DarkGreen };
constexpr auto enumerators(Colour) {
    return std::array{postbus::enumerator("red", Colour::Red), postbus::enumerator("dark green", Colour::DarkGreen)};
}

struct Scalars {
    std::string text;
    bool flag = false;
    std::int8_t int8 = 0;
    std::int16_t int16 = 0;
    std::int32_t int32 = 0;
    std::int64_t int64 = 0;
    std::uint8_t uint8 = 0;
    std::uint16_t uint16 = 0;
    std::uint32_t uint32 = 0;
    std::uint64_t uint64 = 0;
    float single = 0;
    double number = 0;
    postbus::Decimal amount;
    postbus::DateTime when;
    postbus::Base64 bytes;
    Colour colour = Colour::Red;
    static constexpr auto fields() {
        return std::tuple{
            field("string", &Scalars::text),    field("boolean", &Scalars::flag),  field("byte", &Scalars::int8),
            field("short", &Scalars::int16),    field("int", &Scalars::int32),     field("long", &Scalars::int64),
            field("ubyte", &Scalars::uint8),    field("ushort", &Scalars::uint16), field("uint", &Scalars::uint32),
            field("ulong", &Scalars::uint64),   field("float", &Scalars::single),  field("double", &Scalars::number),
            field("decimal", &Scalars::amount), field("dateTime", &Scalars::when), field("base64", &Scalars::bytes),
            field("colour", &Scalars::colour)};
    }
};

struct Options {
    std::optional<std::string> text;
    std::optional<bool> flag;
    std::optional<std::int32_t> count;
    std::optional<double> number;
    std::optional<postbus::Decimal> amount;
    std::optional<postbus::DateTime> when;
    std::optional<postbus::Base64> bytes;
    std::optional<Colour> colour;
    static constexpr auto fields() {
        return std::tuple{field("string", &Options::text),    field("boolean", &Options::flag),
                          field("int", &Options::count),      field("double", &Options::number),
                          field("decimal", &Options::amount), field("dateTime", &Options::when),
                          field("base64", &Options::bytes),   field("colour", &Options::colour)};
    }
};

struct Address {
    std::string street;
    std::optional<std::string> city;
    static constexpr auto fields() {
        return std::tuple{field("street", &Address::street, "Street and number."), field("city", &Address::city)};
    }
};

struct Person {
    std::string name;
    Address home;
    std::optional<Address> work;
    std::vector<Address> former;
    std::vector<std::string> phones;
    std::vector<Colour> colours;
    std::vector<std::int64_t> numbers;
    std::vector<Person> children;
    static constexpr auto fields() {
        return std::tuple{field("name", &Person::name),      field("home", &Person::home),
                          field("work", &Person::work),      field("former", &Person::former),
                          field("phone", &Person::phones),   field("colour", &Person::colours),
                          field("number", &Person::numbers), field("child", &Person::children)};
    }
};

/// A wrapper with one child: what most operations take and give.
template <class T>
struct Holding {
    T value;
    static constexpr auto fields() { return std::tuple{field("value", &Holding::value)}; }
};
using ScalarsMessage = Holding<Scalars>;
using OptionsMessage = Holding<Options>;
using PersonMessage = Holding<Person>;
using TextMessage = Holding<std::optional<std::string>>;

struct Sleep {
    std::uint32_t milliseconds = 0;
    static constexpr auto fields() {
        return std::tuple{field("milliseconds", &Sleep::milliseconds, "How long the answer takes.")};
    }
};

}  // namespace types
