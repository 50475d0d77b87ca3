#include "endpoints/callback/callback_addresses.hpp"

#include <boost/test/unit_test.hpp>

#include "endpoints/destination/destination_endpoint.hpp"
#include "endpoints/remote/remote_endpoint.hpp"

using namespace postbus;
using callback::CallbackAddresses;

namespace {

struct House {
    http::HttpClient client;
    destination::QueueClient queueClient{[] { return std::shared_ptr<queues::Engine>(); }};
    CallbackAddresses addresses;

    explicit House(const std::vector<std::string>& patterns, callback::Manner manner = {})
        : addresses("Stock#news", patterns, std::move(manner), client, queueClient) {}

    std::string problem(std::string_view address) {
        const auto found = addresses.endpointAt(address);
        return found ? std::string() : found.error().message();
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(callback_addresses)

BOOST_AUTO_TEST_CASE(an_http_address_is_a_remote_endpoint) {
    callback::Manner manner;
    manner.version = soap::Version::Soap12;
    manner.backend.redirects = 3;
    House house({"http://10.0.0.5:9000/answers/*"}, manner);
    for (const char* address : {"http://10.0.0.5:9000/answers/a?b=c", "HTTP://10.0.0.5:9000/answers/"}) {
        const auto found = house.addresses.endpointAt(address);
        BOOST_REQUIRE(found);
        BOOST_TEST((*found)->name() == "Stock#news");
        const auto& remote = dynamic_cast<remote::RemoteEndpoint&>(**found);
        BOOST_TEST(remote.backend()->url().origin() == "10.0.0.5:9000");
        BOOST_TEST(remote.backend()->config().redirects == 3u);
        BOOST_CHECK(remote.soapVersion() == soap::Version::Soap12);
    }
}

BOOST_AUTO_TEST_CASE(a_jms_address_is_a_queue_and_says_how_to_send) {
    callback::Manner manner;
    manner.sending.priority = 7;
    manner.sending.persistent = false;
    House house({"jms:queue:news.*"}, manner);
    const auto found = house.addresses.endpointAt("jms:queue:news.eve?priority=2&targetService=Eve");
    BOOST_REQUIRE(found);
    const auto& to = dynamic_cast<destination::DestinationEndpoint&>(**found);
    BOOST_TEST(to.destination().text() == "queue:news.eve");
    const auto& parameters = to.uri().parameters;
    BOOST_TEST(parameters.at("priority") == "2");
    BOOST_TEST(parameters.at("targetService") == "Eve");
    BOOST_TEST(parameters.at("deliveryMode") == "NON_PERSISTENT");
}

BOOST_AUTO_TEST_CASE(what_is_not_listed_or_is_no_address_is_refused) {
    House house({"http://there/*", "jms:queue:news"});
    const std::string notListed = "the configuration does not let it go to ";
    for (const char* address : {"http://there.elsewhere/", "http://u@there/", "http://there/../x", "jms:queue:news2",
                                "jms:topic:news", "https://there/", "queue:news", "", "*"})
        BOOST_TEST(house.problem(address) == notListed + address + ": list it in addresses");
    BOOST_TEST(house.problem("http://there/a b").starts_with("http://there/a b: "));
    BOOST_TEST(house.problem("jms:queue:news?priority=x").starts_with("jms:queue:news?priority=x: "));
}

BOOST_AUTO_TEST_CASE(what_was_used_lately_is_kept) {
    House house({"http://there/*"});
    const auto at = [&](int i) { return *house.addresses.endpointAt("http://there/" + std::to_string(i)); };
    const auto first = at(0), second = at(1);
    for (int i = 2; i < 256; ++i) (void)at(i);
    BOOST_TEST(at(0) == first);
    (void)at(256);  // one too many: the one that was not asked for again goes
    BOOST_TEST(at(0) == first);
    BOOST_TEST(at(1) != second);
}

BOOST_AUTO_TEST_SUITE_END()
