#include "tools/config_reference/page.hpp"

#include <map>

namespace postbus::reference {
namespace {

using config::Described;
using config::DescribedField;
using Kind = Described::Kind;

constexpr std::string_view introduction =
    R"(# Configuration

Every key of the YAML file, its type, its default and what it means. The page is made from the tables that the daemon
reads the file by (`tools/config_reference`); `postbus.schema.json` beside it is the same for editors. The commented
default file is `config/defaults/postbus.yaml`.

- Without a file the defaults hold. An unknown key, a key given twice, a wrong type or a bad value is an error; all of
  a file are told at once, each with line and column. `postbusd --check` and `postbus check FILE` look without starting.
- `--set PATH=VALUE` sets one value after the file has been read, as in `--set transports.http.limits.body=32MiB`;
  VALUE is YAML, a name with dots is quoted (`endpoints."My.Service".http=/x`), lists are replaced as a whole.
- **duration**: a whole number and its unit, `500ms`, `60s`, `5m`, `1h`. **size**: `512`, `64kB`, `32KiB`, `16MiB`, `1GiB`
  (kB, MB, GB: powers of ten; KiB, MiB, GiB: of two). **boolean**: `true`, `false`, `on`, `off`, `yes`, `no`.
- A list that has one item may be written as that item. Anchors, aliases and merge keys (`<<`) work within a file, which
  may have 1 MiB, 64 levels and 100,000 values.
)";

std::string cell(std::string_view text) {
    std::string result;
    for (const char c : text) (result += c == '|' ? "\\" : "") += c;
    return result;
}

std::string typeName(const Described& type) {
    switch (type.kind) {
        case Kind::Text:
            return "text";
        case Kind::Boolean:
            return "boolean";
        case Kind::Whole: {
            constexpr std::size_t worthSaying = 5;  // 65535; nobody meets the bound of a longer one
            if (type.most.size() > worthSaying) return "whole number";
            return "whole number from " + type.least + " to " + type.most;
        }
        case Kind::Number:
            return "number";
        case Kind::Duration:
            return "duration";
        case Kind::Size:
            return "size";
        case Kind::Choice: {
            std::string names;
            for (const std::string_view each : type.choices)
                names += (names.empty() ? "`" : ", `") + std::string(each) + "`";
            return "one of " + names;
        }
        case Kind::Struct:
            return type.shorthand.empty() ? "mapping" : "`" + std::string(type.shorthand) + "` alone, or mapping";
        case Kind::OneOf:
            return "name of one of those below, or mapping of that name to its keys";
        case Kind::List:
            return "list of: " + typeName(type.element.front());
        case Kind::Named:
            return "mapping of names to: " + typeName(type.element.front());
    }
    return {};
}

/// The struct that a value of this type leads to, or null; `path` becomes its path.
const Described* structBelow(const Described& type, std::string& path) {
    switch (type.kind) {
        case Kind::Struct:
        case Kind::OneOf:
            return &type;
        case Kind::List:
            return structBelow(type.element.front(), path += "[]");
        case Kind::Named:
            return structBelow(type.element.front(), path += ".NAME");
        default:
            return nullptr;
    }
}

void renderRows(std::string& page, const Described& type) {
    page += "\n| key | type | default | meaning |\n|---|---|---|---|\n";
    for (const DescribedField& field : type.fields) {
        const bool shown = field.initial && *field.initial != "\"\"";
        const std::string initial = shown ? "`" + *field.initial + "`" : "";
        page += "| `" + std::string(field.name) + "` | " + cell(typeName(field.type)) + " | " + cell(initial) + " | " +
                cell(field.doc) + " |\n";
    }
}

/// Where each struct is told in full: at its first place that is not a variant of another.
using Homes = std::map<const void*, std::string>;

template <class Visit>
void forEachSection(const Described& type, const std::string& path, const Visit& visit) {
    for (const DescribedField& field : type.fields) {
        std::string name = path + (path.empty() ? "" : ".") + std::string(field.name);
        const Described* below = structBelow(field.type, name);
        if (!below) continue;
        visit(name, field, *below);
        forEachSection(*below, name, visit);
    }
}

Homes homesOf(const Described& whole) {
    Homes homes;
    forEachSection(whole, {}, [&](const std::string& name, const DescribedField& field, const Described& type) {
        if (!field.type.optional) homes.try_emplace(type.identity, name);
    });
    return homes;
}

}  // namespace

std::string renderPage(const Described& whole) {
    std::string page(introduction);
    page += "\n## The whole file\n";
    renderRows(page, whole);
    const Homes homes = homesOf(whole);
    forEachSection(whole, {}, [&](const std::string& name, const DescribedField& field, const Described& type) {
        page += "\n## `" + name + "`\n\n" + std::string(field.doc) + "\n";
        const auto home = homes.find(type.identity);
        if (home != homes.end() && home->second != name) {
            page += "\nIts keys are those of `" + home->second + "`.\n";
        } else {
            renderRows(page, type);
        }
    });
    return page;
}

}  // namespace postbus::reference
