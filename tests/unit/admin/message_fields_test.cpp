#include "admin/message_fields.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <string>

using namespace postbus;

namespace {

const std::optional<queues::DeadLetter> notDead;

Result<admin::MessageFields> fieldsOf(const queues::Message& message,
                                      const std::optional<queues::DeadLetter>& dead = notDead) {
    return admin::fieldsOf({message, 7, 2, true, false, true, message.body.size(), dead});
}

std::string valueOf(const admin::MessageFields& made, std::string_view name) {
    const auto at =
        std::find_if(made.fields.begin(), made.fields.end(), [&](const auto& each) { return each.first == name; });
    return at == made.fields.end() ? "(none)" : at->second;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(message_fields)

BOOST_AUTO_TEST_CASE(every_property_has_its_field) {
    queues::Message message;
    message.id = "ID:1";
    message.replyTo = "answers";
    message.contentType = "text/xml; charset=utf-8";
    message.priority = 9;
    message.timestamp = 1'700'000'000'123;
    message.properties = {{"t", std::string("3")}, {"n", std::int64_t{-3}}, {"b", false}, {"f", 0.1}};

    const auto made = fieldsOf(message, queues::DeadLetter{"orders", "no service, no answer", 5, 99});

    BOOST_REQUIRE(made);
    BOOST_TEST(made->contentType == "text/xml; charset=utf-8");
    BOOST_TEST(valueOf(*made, "Postbus-Number") == "7");
    BOOST_TEST(valueOf(*made, "Postbus-Message-Id") == "ID:1");
    BOOST_TEST(valueOf(*made, "Postbus-Reply-To") == "answers");
    BOOST_TEST(valueOf(*made, "Postbus-Correlation-Id") == "(none)");
    BOOST_TEST(valueOf(*made, "Postbus-Priority") == "9");
    BOOST_TEST(valueOf(*made, "Postbus-Timestamp") == "1700000000123");
    BOOST_TEST(valueOf(*made, "Postbus-Expires") == "(none)");
    BOOST_TEST(valueOf(*made, "Postbus-Deliveries") == "2");
    BOOST_TEST(valueOf(*made, "Postbus-Redelivered") == "true");
    BOOST_TEST(valueOf(*made, "Postbus-Dead-Letter-Reason") == "no service, no answer");
    BOOST_TEST(valueOf(*made, "Postbus-Dead-Letter-Attempts") == "5");
    std::string properties;
    for (const auto& [name, value] : made->fields)
        if (name == "Postbus-Property") properties += value + '|';
    BOOST_TEST(properties == "t=3|n:=-3|b:=false|f:=0.1|");
}

BOOST_AUTO_TEST_CASE(no_byte_of_a_message_is_anything_but_visible_in_a_field) {
    queues::Message message;
    for (int i = 0; i < 256; ++i) message.replyTo += static_cast<char>(i);
    message.properties = {{message.replyTo, message.replyTo}};

    const auto made = fieldsOf(message);

    BOOST_REQUIRE(made);
    for (const auto& [name, value] : made->fields)
        BOOST_TEST(std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c < 0x7f; }), name);
    const std::string property = valueOf(*made, "Postbus-Property");
    BOOST_TEST(std::count(property.begin(), property.end(), '=') == 2);  // the first is behind the name
    BOOST_TEST(property.find(',') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(blanks_are_kept_where_a_field_would_lose_them) {
    queues::Message message;
    message.correlationId = " a b  c% ";

    BOOST_TEST(valueOf(*fieldsOf(message), "Postbus-Correlation-Id") == "%20a b %20c%25%20");
}

BOOST_AUTO_TEST_CASE(a_media_type_that_http_can_not_carry_is_said_elsewhere) {
    queues::Message message;
    message.contentType = "text/plain\r\nX-Evil: 1";

    const auto made = fieldsOf(message);

    BOOST_TEST(made->contentType == "application/octet-stream");
    BOOST_TEST(valueOf(*made, "Postbus-Content-Type") == "text/plain%0D%0AX-Evil: 1");
    message.contentType.clear();
    BOOST_TEST(fieldsOf(message)->contentType == "");
}

BOOST_AUTO_TEST_CASE(more_than_clients_take_is_refused) {
    queues::Message many, large, mediaType;
    for (int i = 0; i < 80; ++i) many.properties.push_back({"p", std::int64_t{i}});
    large.replyTo = std::string(3000, '\n');
    mediaType.contentType = std::string(9000, 'x');

    for (const queues::Message* each : {&many, &large, &mediaType}) {
        const auto made = fieldsOf(*each);
        BOOST_REQUIRE(!made);
        BOOST_TEST((made.error().kind() == Error::Kind::TooLarge));
    }
}

BOOST_AUTO_TEST_SUITE_END()
