#include "tools/config_reference/schema.hpp"

#include <initializer_list>

#include "base/buffer.hpp"
#include "formats/json/writer.hpp"

namespace postbus::reference {
namespace {

using config::Described;
using config::DescribedField;
using Kind = Described::Kind;

/// Writes the members of one schema; the caller has opened the object.
class Schema {
public:
    explicit Schema(json::Writer& json) : json_(json) {}

    void members(const Described& type) {
        switch (type.kind) {
            case Kind::Text:
                return json_.member("type", "string");
            case Kind::Boolean:
                return booleans();
            case Kind::Whole:
                return whole(type);
            case Kind::Number:
                return json_.member("type", "number");
            case Kind::Duration:
                return pattern("^(0|[1-9][0-9]*)(ms|s|m|h)$");
            case Kind::Size:
                return sizes();
            case Kind::Choice:
                return choices(type);
            case Kind::Struct:
                return structure(type);
            case Kind::OneOf:
                return oneOf(type);
            case Kind::List:
                return list(type);
            case Kind::Named:
                return named(type);
        }
    }

private:
    template <class Members>
    void alternative(const Members& content) {
        json_.object([&] { content(); });
    }

    void pattern(std::string_view text) {
        json_.member("type", "string");
        json_.member("pattern", text);
    }

    void booleans() {
        json_.array("enum", [&] {
            json_.value(true);
            json_.value(false);
            for (const char* each : {"on", "off", "yes", "no"}) json_.value(each);
        });
    }

    void whole(const Described& type) {
        json_.member("type", "integer");
        // 64-bit bounds are beyond what a JSON number holds exactly (RFC 8259 section 6).
        constexpr std::size_t exactDigits = 15;
        if (type.least.size() <= exactDigits) json_.member("minimum", std::stoll(type.least));
        if (type.most.size() <= exactDigits) json_.member("maximum", std::stoll(type.most));
    }

    void sizes() {
        json_.array("anyOf", [&] {
            alternative([&] {
                json_.member("type", "integer");
                json_.member("minimum", 0);
            });
            alternative([&] { pattern("^(0|[1-9][0-9]*)(B|kB|MB|GB|KiB|MiB|GiB)?$"); });
        });
    }

    void choices(const Described& type) {
        json_.array("enum", [&] {
            for (const std::string_view each : type.choices) json_.value(each);
        });
    }

    void list(const Described& type) {
        const Described& element = type.element.front();
        json_.array("anyOf", [&] {
            alternative([&] { members(element); });
            alternative([&] {
                json_.member("type", "array");
                json_.object("items", [&] { members(element); });
            });
        });
    }

    void named(const Described& type) {
        objectOrNull();
        json_.object("additionalProperties", [&] { members(type.element.front()); });
    }

    void objectOrNull() {
        json_.array("type", [&] {
            json_.value("object");
            json_.value("null");
        });
    }

    void properties(const Described& type) {
        objectOrNull();
        json_.member("additionalProperties", false);
        json_.object("properties", [&] {
            for (const DescribedField& each : type.fields) json_.object(each.name, [&] { described(each); });
        });
    }

    void described(const DescribedField& field) {
        std::string text(field.doc);
        if (field.initial && *field.initial != "\"\"") text += " Default: " + *field.initial;
        json_.member("description", text);
        members(field.type);
    }

    void oneOf(const Described& type) {
        json_.array("anyOf", [&] {
            alternative([&] {
                json_.array("enum", [&] {
                    for (const DescribedField& each : type.fields) json_.value(each.name);
                });
            });
            alternative([&] {
                json_.member("minProperties", 1);
                json_.member("maxProperties", 1);
                properties(type);
            });
        });
    }

    void structure(const Described& type) {
        if (type.shorthand.empty()) return properties(type);
        json_.array("anyOf", [&] {
            for (const DescribedField& each : type.fields)
                if (each.name == type.shorthand) alternative([&] { members(each.type); });
            alternative([&] { properties(type); });
        });
    }

    json::Writer& json_;
};

/// One member or element a line, as people read it.
std::string indented(std::string_view json) {
    std::string result;
    std::size_t depth = 0;
    bool inText = false;
    const auto newLine = [&] { (result += '\n').append(2 * depth, ' '); };
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inText || c == '"') {
            result += c;
            if (inText && c == '\\') result += json[++i];
            if (c == '"') inText = !inText;
            continue;
        }
        if (c == '}' || c == ']') {
            --depth;
            newLine();
        }
        result += c;
        if (c == '{' || c == '[') {
            ++depth;
            newLine();
        } else if (c == ',') {
            newLine();
        } else if (c == ':') {
            result += ' ';
        }
    }
    return result += '\n';
}

}  // namespace

std::string renderSchema(const Described& whole) {
    Buffer buffer;
    json::Writer json(buffer);
    json.object([&] {
        json.member("$schema", "http://json-schema.org/draft-07/schema#");
        json.member("title", "Postbus configuration");
        Schema(json).members(whole);
    });
    return indented(buffer.view());
}

}  // namespace postbus::reference
