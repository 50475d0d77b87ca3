// A service with a queue behind it: orders are accepted at once, worked on later, and told of when they are shipped.
#include <postbus/plugin.hpp>

#include <chrono>
#include <cstdint>
#include <string>

using namespace std::chrono_literals;

struct Order {
    std::string article;
    std::uint32_t count = 0;
    static constexpr auto fields() {
        return std::tuple{postbus::field("article", &Order::article), postbus::field("count", &Order::count)};
    }
};
struct Accepted {
    static constexpr auto fields() { return std::tuple{}; }
};
struct Shipment {
    std::string text;
    static constexpr auto fields() { return std::tuple{postbus::field("text", &Shipment::text)}; }
};

class Orders : public postbus::Service {
public:
    void start() override {
        operation("order", [this](const Order& in) { return accept(in); });
        operation("nextShipment", postbus::nonblocking,
                  [this](const postbus::Request& request) { return nextShipment(request); });
        queue("orders").subscribe([this](const postbus::Delivery& order) { ship(order); }, {.concurrency = 4});
    }

private:
    // On a worker: it waits until the order can't be lost any more.
    Accepted accept(const Order& in) const {
        const auto sent = queue("orders").send(in.article, {.contentType = "text/plain",
                                                            .priority = in.count > 100 ? 9u : 4u,
                                                            .properties = {{"count", std::int64_t{in.count}}}});
        if (!sent) throw sent.fault();
        return {};
    }

    // For each order, on a worker. When it returns the order is done; when it throws it comes again.
    void ship(const postbus::Delivery& order) const {
        const auto count = order.property("count");
        if (!count || !std::get_if<std::int64_t>(&*count)) throw postbus::Fault::sender("an order has a count");
        const std::string text =
            std::to_string(*std::get_if<std::int64_t>(&*count)) + " of " + std::string(order.body()) + " shipped";
        // The order's id: should it be worked on twice, after a crash, say, the second shipment can be told.
        const auto sent = queue("shipments").send(text, {.contentType = "text/plain", .correlationId = order.id()});
        if (!sent) throw sent.fault();
    }

    // A coroutine: it waits for a shipment without holding a thread.
    postbus::Task<postbus::Outcome<Shipment>> nextShipment(const postbus::Request& request) const {
        auto receiving = queue("shipments").receiveAsync(request, 5s);
        auto shipment = co_await receiving;
        if (!shipment) co_return shipment.fault();
        if (!*shipment) co_return postbus::Fault::receiver("nothing has been shipped for 5 seconds");
        Shipment told{std::string(shipment->body())};
        shipment->acknowledge();
        co_return told;
    }
};

POSTBUS_SERVICE(Orders, .name = "Orders", .ns = "urn:orders", .path = "/cxf/Orders")
