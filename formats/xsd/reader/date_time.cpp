#include "formats/xsd/reader/date_time.hpp"

#include <algorithm>
#include <cstddef>

namespace postbus::xsd {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes one thing after the other off the front; once something is missing, all that follows is too.
class Scan {
public:
    explicit Scan(std::string_view text) : rest_(text) {}

    bool take(char c) {
        good_ = good_ && rest_.starts_with(c);
        if (good_) rest_.remove_prefix(1);
        return good_;
    }
    /// Exactly so many digits, from `low` to `high`.
    int number(std::size_t digits, int low, int high) {
        int value = 0;
        good_ = good_ && rest_.size() >= digits && std::all_of(rest_.begin(), rest_.begin() + digits, isDigit);
        if (!good_) return 0;
        for (const char c : rest_.substr(0, digits)) value = 10 * value + (c - '0');
        rest_.remove_prefix(digits);
        good_ = value >= low && value <= high;
        return value;
    }
    /// Digits as there are, at least so many; the value of the last four.
    int year() {
        if (rest_.starts_with('-')) rest_.remove_prefix(1);
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), isDigit);
        const auto count = static_cast<std::size_t>(end - rest_.begin());
        good_ = good_ && count >= 4 && (count == 4 || rest_.front() != '0');
        if (!good_) return 0;
        int value = 0;
        for (const char c : rest_.substr(count - 4, 4)) value = 10 * value + (c - '0');
        rest_.remove_prefix(count);
        return value;
    }
    void fraction() {
        if (!good_ || !rest_.starts_with('.')) return;
        rest_.remove_prefix(1);
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), isDigit);
        good_ = end != rest_.begin();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.begin()));
    }
    void date() {
        constexpr int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
        // Whether a year is a leap year is told by its last four digits: 10000 is a multiple of 400.
        const int inYear = year();
        take('-');
        const int month = number(2, 1, 12);
        take('-');
        const int day = number(2, 1, 31);
        if (!good_) return;
        const bool leap = (inYear % 4 == 0 && inYear % 100 != 0) || inYear % 400 == 0;
        good_ = day <= days[month - 1] && (month != 2 || day < 29 || leap);
    }
    void time() {
        const int hour = number(2, 0, 24);
        take(':');
        const int minute = number(2, 0, 59);
        take(':');
        const int second = number(2, 0, 59);
        fraction();
        if (hour == 24) good_ = good_ && minute == 0 && second == 0;
    }
    /// Nothing, Z or +hh:mm, and then the end.
    bool zoneAndEnd() {
        if (!good_) return false;
        if (rest_.empty() || rest_ == "Z") return true;
        if (rest_.front() != '+' && rest_.front() != '-') return false;
        rest_.remove_prefix(1);
        const int hours = number(2, 0, 14);
        take(':');
        const int minutes = number(2, 0, 59);
        return good_ && rest_.empty() && (hours < 14 || minutes == 0);
    }

private:
    std::string_view rest_;
    bool good_ = true;
};

}  // namespace

bool isDate(std::string_view text) {
    Scan scan(text);
    scan.date();
    return scan.zoneAndEnd();
}

bool isTime(std::string_view text) {
    Scan scan(text);
    scan.time();
    return scan.zoneAndEnd();
}

bool isDateTime(std::string_view text) {
    Scan scan(text);
    scan.date();
    scan.take('T');
    scan.time();
    return scan.zoneAndEnd();
}

}  // namespace postbus::xsd
