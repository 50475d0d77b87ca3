#pragma once

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "config/read.hpp"
#include "server/config/daemon_config.hpp"

inline postbus::server::DaemonConfig readDaemon(const std::string& yaml, const std::vector<std::string>& sets = {}) {
    auto document = postbus::config::Document::parse(yaml, "p.yaml");
    for (const std::string& each : sets) document.set(each);
    return postbus::config::read<postbus::server::DaemonConfig>(document);
}

/// Checks that reading `yaml` finds exactly these problems.
inline void checkDaemonProblems(const std::string& yaml, const std::vector<std::string>& expected) {
    std::vector<std::string> problems;
    try {
        readDaemon(yaml);
    } catch (const postbus::config::ConfigError& error) {
        problems = error.problems();
    }
    BOOST_CHECK_EQUAL_COLLECTIONS(problems.begin(), problems.end(), expected.begin(), expected.end());
}
