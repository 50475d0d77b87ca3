// Contract first: first.wsdl beside the plugin says what is served, first.xsd holds the types, and the structs here
// follow them. The names are the contract's own, and children are qualified, unlike in a WSDL made by the bus.
#include <postbus/plugin.hpp>

struct ReserveRequest {
    std::string article;
    std::int32_t count = 0;
    static constexpr auto fields() {
        return std::tuple{postbus::field("article", &ReserveRequest::article),
                          postbus::field("count", &ReserveRequest::count)};
    }
};
struct Reservation {
    std::string article;
    bool held = false;
    static constexpr auto fields() {
        return std::tuple{postbus::field("article", &Reservation::article), postbus::field("held", &Reservation::held)};
    }
};
struct Stock : postbus::Service {
    void start() override {
        const postbus::OperationOptions reserve{.nonblocking = true,
                                                .qualified = true,
                                                .soapAction = "urn:postbus:test:first/Reserve",
                                                .inElement = "ReserveRequest",
                                                .outElement = "Reservation"};
        operation("Reserve", reserve, [](const ReserveRequest& in) { return Reservation{in.article, in.count <= 10}; });
    }
};
POSTBUS_SERVICE(Stock, .ns = "urn:postbus:test:first", .version = "1.0.0", .path = "/test/first",
                .implementation = "StockImpl")
