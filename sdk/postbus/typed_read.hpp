/// Reading structs from the tape.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "describe.hpp"
#include "element.hpp"
#include "fault.hpp"
#include "lexical.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

/// Reads a struct from an element's children, matching them by local name.
///
/// Children are unqualified; ones in the service's own namespace are taken as well, since that is what a client sends
/// that wrote xmlns="..." on the operation's element. They may come in any order. Nothing is lost silently: an unknown
/// child, a second one for a field that is no vector, text between children, a child inside a simple value and a
/// reference (SOAP encoding's href) are errors. An element with xsi:nil true counts as absent. Other attributes say
/// nothing about the value and are passed over: xsi:type, id, encodingStyle.
///
/// Allocates nothing but what the members themselves hold.
class TypedReader {
public:
    explicit TypedReader(std::string_view ns) : ns_(ns) {}

    /// Whether `out` now holds the value of `element`; if not, error() says where and why. No element at all reads as
    /// an empty one.
    template <HasFields T>
    bool read(Element element, T& out) {
        const Place top{nullptr, element};
        const Marks marks = element ? look(element) : Marks{};
        if (!usable(marks, top)) return false;
        if (marks.nil || !element) return isWhole<T>(top, {});
        return readStruct(element, top, out);
    }
    const std::string& error() const { return error_; }

private:
    struct Place {
        const Place* outer;
        Element element;
    };
    /// What attributes say about an element as a whole.
    struct Marks {
        bool nil = false;
        bool badNil = false;
        std::string_view nilText, href;
    };

    static Marks look(Element element) {
        Marks marks;
        const postbus_tape& tape = *element.tape();
        for (std::uint32_t i = element.index() + 1; i < element.node().next; ++i) {
            const postbus_node& each = tape.nodes[i];
            if (each.kind == POSTBUS_NODE_NAMESPACE) continue;
            if (each.kind != POSTBUS_NODE_ATTRIBUTE) break;
            const postbus_name& name = tape.names[each.name];
            const std::string_view local{tape.text + name.local, name.local_length};
            const std::string_view uri{tape.text + name.uri, name.uri_length};
            const std::string_view value{tape.text + each.text, each.length};
            if (local == "nil" && uri == "http://www.w3.org/2001/XMLSchema-instance") {
                marks.badNil = parseValue(value, marks.nil) != Verdict::Good;
                marks.nilText = value;
            } else if (local == "href" && uri.empty()) {
                marks.href = value;
            }
        }
        return marks;
    }

    /// Refuses what the attributes make unreadable.
    bool usable(const Marks& marks, const Place& place) {
        if (!marks.nil && !marks.badNil && marks.href.empty()) return true;
        return usableWith(marks, place);
    }
    bool usableWith(const Marks& marks, const Place& place) {
        if (marks.badNil) return fail(place, quoted(marks.nilText) + " is no value of xsi:nil");
        if (marks.nil && place.element.content() != place.element.node().next)
            return fail(place, "xsi:nil says that it has no value, but it has content");
        if (!marks.href.empty())
            return fail(place,
                        "refers to " + quoted(marks.href) +
                            "; references (SOAP encoding) are not part of this contract, send the value in place");
        return true;
    }

    template <HasFields T>
    using Seen = std::array<bool, fieldCount<T> + 1>;

    template <HasFields T>
    bool readStruct(Element element, const Place& place, T& out) {
        Seen<T> seen{};
        if (!onlyBlanks(element, place)) return false;
        for (Element child = element.firstChild(); child; child = child.next())
            if (!readChild(child, place, out, seen)) return false;
        return isWhole<T>(place, seen);
    }

    /// Whether all that must be there has been seen.
    template <HasFields T>
    bool isWhole(const Place& place, const Seen<T>& seen) {
        std::size_t index = 0;
        bool whole = true;
        forEachField<T>([&](const auto& field) {
            using Member = typename std::remove_cvref_t<decltype(field)>::MemberType;
            constexpr bool needed = !IsOptional<Member>::value && !IsVector<Member>::value;
            if (needed && !seen[index++] && whole)
                whole = fail(place, "element '" + std::string(field.name) + "' is missing");
            else if (!needed)
                ++index;
        });
        return whole;
    }

    template <HasFields T>
    bool readChild(Element child, const Place& outer, T& out, Seen<T>& seen) {
        const Place place{&outer, child};
        const std::string_view local = child.local();
        std::size_t index = 0;
        bool known = false, good = false;
        const auto visit = [&](const auto& field) {
            if (!known && field.name == local) {
                known = true;
                good = readField(child, place, out.*field.member, seen[index]);
            }
            ++index;
        };
        std::apply([&](const auto&... each) { (visit(each), ...); }, T::fields());
        return known ? good : fail(place, "unknown element" + expected<T>());
    }

    template <class Member>
    bool readField(Element child, const Place& place, Member& member, bool& seen) {
        const std::string_view uri = child.uri();
        if (!uri.empty() && uri != ns_)
            return fail(place, "is in namespace " + quoted(uri) + ", but has to be in none");
        if (seen && !IsVector<Member>::value) return fail(place, "occurs more than once");
        seen = true;
        const Marks marks = look(child);
        if (!usable(marks, place)) return false;
        if constexpr (IsVector<Member>::value) {
            if (marks.nil) return true;
            return readValue(child, place, appended(member));
        } else if constexpr (IsOptional<Member>::value) {
            if (marks.nil) return true;
            return readValue(child, place, member.emplace());
        } else {
            if (marks.nil) return fail(place, "is nil, but has to have a value");
            return readValue(child, place, member);
        }
    }

    template <class T>
    static T& appended(std::vector<T>& list) {
        static_assert(!std::same_as<T, bool>,
                      "vector<bool> has no elements to read into; use vector<std::uint8_t> or an enum");
        return list.emplace_back();
    }

    template <class T>
    bool readValue(Element element, const Place& place, T& out) {
        if constexpr (HasFields<T>) {
            return readStruct(element, place, out);
        } else {
            if (const auto text = element.simpleText()) return judge(*text, place, out);
            if (const Element child = element.firstChild())
                return fail(Place{&place, child},
                            "a value of " + std::string(schemaName<T>()) + " has no child elements");
            return judge(element.text(), place, out);
        }
    }

    template <class T>
    bool judge(std::string_view text, const Place& place, T& out) {
        const Verdict verdict = parseValue(text, out);
        if (verdict == Verdict::Good) return true;
        std::string why = quoted(text);
        why += verdict == Verdict::Malformed ? " is no " : " is out of range for ";
        why += schemaName<T>();
        if constexpr (HasEnumerators<T>) {
            std::string_view mark = "; one of: ";
            for (const auto& each : enumerators(T{})) {
                why += mark;
                why += each.name;
                mark = ", ";
            }
        }
        return fail(place, why);
    }

    bool onlyBlanks(Element element, const Place& place) {
        const postbus_tape& tape = *element.tape();
        for (std::uint32_t i = element.content(); i < element.node().next; i = tape.nodes[i].next) {
            const postbus_node& each = tape.nodes[i];
            const std::string_view text{tape.text + each.text, each.length};
            if (each.kind == POSTBUS_NODE_TEXT && !isBlank(text))
                return fail(place, "text " + quoted(collapse(text)) + " where only elements belong");
        }
        return true;
    }

    template <HasFields T>
    static std::string expected() {
        if (fieldCount<T> == 0) return "; none belongs here";
        std::string names;
        forEachField<T>([&](const auto& field) {
            names += names.empty() ? "; known are: " : ", ";
            names += field.name;
        });
        return names;
    }

    /// At most 40 bytes of it, whole characters.
    static std::string quoted(std::string_view text) {
        std::string_view shown = text.substr(0, 40);
        if (shown.size() < text.size()) {
            while (!shown.empty() && (static_cast<unsigned char>(text[shown.size()]) & 0xC0) == 0x80)
                shown.remove_suffix(1);
        }
        return "'" + std::string(shown) + (shown.size() < text.size() ? "...'" : "'");
    }

    static void appendPath(const Place& place, std::string& path) {
        if (!place.outer) return;
        appendPath(*place.outer, path);
        if (!path.empty()) path += '/';
        path += place.element.local();
    }

    /// "address/zip (line 7): why". The top is told by its own name. Always false.
    bool fail(const Place& place, std::string_view why) {
        error_.clear();
        appendPath(place, error_);
        if (error_.empty() && place.element) error_ = place.element.local();
        if (error_.empty()) error_ = "message";
        if (place.element && place.element.line() > 0) error_ += " (line " + std::to_string(place.element.line()) + ")";
        error_ += ": ";
        error_ += why;
        return false;
    }

    std::string_view ns_;
    std::string error_;
};

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
