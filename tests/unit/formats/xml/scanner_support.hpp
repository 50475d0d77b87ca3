#pragma once

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "xml_support.hpp"

/// Documents that go to the scanner alone.
namespace postbus::xml::test {

/// The tape of a document that the scanner must take itself.
inline Tape scanned(std::string_view document, const Limits& limits = {}) {
    Tape tape;
    BOOST_REQUIRE_MESSAGE(readByScanner(document, limits, tape), "not taken: " << document);
    const char* const fault = checkTape(*tape.view());
    BOOST_TEST(fault == nullptr, (fault ? fault : "") << ": " << document);
    return tape;
}

inline bool takes(std::string_view document, const Limits& limits = {}) {
    Tape tape;
    const bool taken = readByScanner(document, limits, tape);
    BOOST_TEST((taken || (tape.empty() && tape.view()->text_size == 0)));
    return taken;
}

inline void refusesAll(const std::vector<std::string>& documents) {
    for (const std::string& each : documents) BOOST_TEST(!takes(each), each);
}

/// The pattern with a text for each '$' in it.
inline std::string filled(std::string_view pattern, std::string_view text) {
    std::string all;
    for (const char c : pattern)
        if (c == '$')
            all += text;
        else
            all += c;
    return all;
}

}  // namespace postbus::xml::test
