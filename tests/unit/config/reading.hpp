#pragma once

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "config/read.hpp"

/// Reads `yaml` as the file f.yaml with each of `sets` applied.
template <class T>
T readText(const std::string& yaml, const std::vector<std::string>& sets = {}) {
    auto document = postbus::config::Document::parse(yaml, "f.yaml");
    for (const std::string& each : sets) document.set(each);
    return postbus::config::read<T>(document);
}

/// What is wrong with it, a line each; empty when nothing is.
template <class T>
std::vector<std::string> problemsOf(const std::string& yaml, const std::vector<std::string>& sets = {}) {
    try {
        readText<T>(yaml, sets);
    } catch (const postbus::config::ConfigError& error) {
        return error.problems();
    }
    return {};
}

/// Checks that `problems` are exactly the `expected` lines.
inline void checkProblems(const std::vector<std::string>& problems, const std::vector<std::string>& expected) {
    BOOST_CHECK_EQUAL_COLLECTIONS(problems.begin(), problems.end(), expected.begin(), expected.end());
}
