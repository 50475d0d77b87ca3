#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace postbus::xml::test {

/// Makes documents at random, the same ones for the same seed.
class DocumentMaker {
public:
    explicit DocumentMaker(unsigned seed) : random_(seed) {}

    /// A good document with all that a tape keeps, and with what it drops.
    std::string good();
    /// The document with a few bytes changed, left out, doubled or put in: good or bad.
    std::string mutated(std::string document);

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }
    bool oneIn(std::size_t n) { return below(n) == 0; }
    std::string_view any(const std::vector<std::string_view>& of) { return of[below(of.size())]; }
    std::string space();
    std::string text();
    std::string value();
    std::string attributes(bool root);
    void element(std::string& out, std::size_t depth);

    std::mt19937 random_;
};

}  // namespace postbus::xml::test
