// A service that speaks first: tells a topic, and those who asked for it, of each change of a price.
#include <postbus/plugin.hpp>

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

constexpr std::string_view prices = "urn:prices";

struct Price {
    std::string symbol;
    std::int64_t cents = 0;
    static constexpr auto fields() {
        return std::tuple{postbus::field("symbol", &Price::symbol), postbus::field("cents", &Price::cents)};
    }
};

struct Subscription {
    std::string address;
    static constexpr auto fields() { return std::tuple{postbus::field("address", &Subscription::address)}; }
};

class Prices : public postbus::Service {
public:
    void start() override {
        operation("setPrice", [this](const Price& price, const postbus::Request& request) {
            alert(price);
            // Under out-only it is over when the receiver has it for good: the caller is not told before.
            return outOnly("priceChanged", &request)
                .with(prices, "priceChanged", price)
                .wait([&](const postbus::Reply& reply) -> postbus::Outcome<Price> {
                    if (reply.isFault()) return reply.fault();
                    return price;
                });
        });
        operation("subscribe", [this](const Subscription& wanted) {
            const std::lock_guard lock(mutex_);
            subscribers_.insert(wanted.address);
            return wanted;
        });
    }

private:
    void alert(const Price& price) {
        const std::lock_guard lock(mutex_);
        for (const std::string& each : subscribers_)
            outOnly("priceAlert").with(prices, "priceAlert", price).to(each).then([this](const postbus::Reply& reply) {
                if (reply.isFault()) log(postbus::LogLevel::Warning, reply.fault().reason);
            });
    }

    std::mutex mutex_;
    std::set<std::string> subscribers_;
};

POSTBUS_SERVICE(Prices, .name = "Prices", .ns = "urn:prices", .path = "/cxf/Prices")
