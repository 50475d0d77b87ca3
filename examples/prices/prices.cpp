// A service that speaks first: whoever subscribes is told of every new price.
#include <postbus/plugin.hpp>

#include <cstdint>
#include <string>

constexpr std::string_view prices = "urn:prices";

struct Price {
    std::string symbol;
    std::int64_t cents = 0;
    static constexpr auto fields() {
        return std::tuple{postbus::field("symbol", &Price::symbol), postbus::field("cents", &Price::cents)};
    }
};

class Prices : public postbus::Service {
public:
    void start() override {
        operation("setPrice", [this](const Price& price, const postbus::Request& request) {
            // Under out-only it is over when the receiver has it for good: the caller is not told before.
            return outOnly("priceChanged", &request)
                .with(prices, "priceChanged", price)
                .wait([&](const postbus::Reply& reply) -> postbus::Outcome<Price> {
                    if (reply.isFault()) return reply.fault();
                    return price;
                });
        });
    }
};

POSTBUS_SERVICE(Prices, .name = "Prices", .ns = "urn:prices", .path = "/cxf/Prices")
