#include "plugins/host/frames/messages.hpp"

#include <postbus/abi.h>
#include <boost/test/unit_test.hpp>

#include <string>

#include "formats/xml/parse.hpp"

using postbus::Buffer;
using postbus::Error;
using postbus::host::Answer;
using postbus::host::Call;
using postbus::host::Fault;
using postbus::host::Field;
using postbus::host::firstFrame;
using postbus::host::Form;
using postbus::host::Frame;
using postbus::host::FrameKind;
using postbus::host::LogLine;
using postbus::host::Refusal;
using postbus::xml::Tape;

namespace {

/// The one frame that was written.
Frame only(const Buffer& wire) {
    auto frame = firstFrame(wire.view());
    BOOST_REQUIRE((frame && *frame));
    BOOST_REQUIRE((*frame)->body.size() + postbus::host::frameHead == wire.size());
    return **frame;
}

Tape read(std::string_view document) {
    Tape tape;
    BOOST_REQUIRE(!!postbus::xml::parse(document, {}, {}, tape));
    return tape;
}

Call aCall(const Tape& tape) {
    Call call;
    call.service = 2;
    call.operation = 5;
    call.payload = 1;
    call.content = 0;
    call.hops = 3;
    call.deadline = 1'234'567'890'123;
    call.id = "request-1";
    call.contentType = "text/xml";
    call.headers = {{"SOAPAction", "\"\""}, {"X-Empty", ""}};
    call.form = Form::Document;
    call.tape = tape.view();
    return call;
}

/// Whatever is cut off, nothing but an error comes of it.
template <class Message>
void refusesItsPieces(const Buffer& wire, std::size_t fixed) {
    const std::string_view body = only(wire).body;
    for (std::size_t size = 0; size < std::min(fixed, body.size()); ++size)
        BOOST_TEST(!Message().read(body.substr(0, size)), size);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host_messages)

BOOST_AUTO_TEST_CASE(a_call_brings_all_that_a_plugin_is_lent) {
    const Tape tape = read("<Body><p:sayHi xmlns:p='urn:p'>Bob</p:sayHi></Body>");
    Buffer wire;
    BOOST_REQUIRE(!!aCall(tape).write(wire, 99));

    const Frame frame = only(wire);
    Call call;
    BOOST_REQUIRE(!!call.read(frame.body));

    BOOST_TEST((frame.kind == FrameKind::Call));
    BOOST_TEST(frame.id == 99u);
    BOOST_TEST(call.service == 2u);
    BOOST_TEST(call.operation == 5u);
    BOOST_TEST(call.payload == 1u);
    BOOST_TEST(call.content == 0u);
    BOOST_TEST(call.hops == 3u);
    BOOST_TEST(call.deadline == 1'234'567'890'123);
    BOOST_TEST(call.id == "request-1");
    BOOST_TEST(call.contentType == "text/xml");
    BOOST_TEST((call.headers == std::vector<Field>{{"SOAPAction", "\"\""}, {"X-Empty", ""}}));
    Tape received;
    BOOST_REQUIRE(!!received.receive(call.bytes));
    BOOST_TEST(received.root().child("urn:p", "sayHi").simpleText().value_or("") == "Bob");
    BOOST_TEST(call.fits(*received.view()));
}

BOOST_AUTO_TEST_CASE(a_call_whose_elements_are_none_does_not_fit) {
    const Tape tape = read("<Body>text</Body>");
    Call call = aCall(tape);
    call.payload = 1;
    BOOST_TEST(!call.fits(*tape.view()));
    call.payload = 2;
    BOOST_TEST(!call.fits(*tape.view()));
    call.payload = POSTBUS_NO_NODE;
    BOOST_TEST(call.fits(*tape.view()));
    call.content = 1;
    BOOST_TEST(!call.fits(*tape.view()));
}

BOOST_AUTO_TEST_CASE(a_call_may_be_bytes_or_nothing) {
    Call call;
    call.form = Form::Bytes;
    call.bytes = {"\0\xFF", 2};
    Buffer wire;
    BOOST_REQUIRE(!!call.write(wire, 1));
    Call back;
    BOOST_REQUIRE(!!back.read(only(wire).body));
    BOOST_TEST((back.form == Form::Bytes && back.bytes == call.bytes));

    wire.clear();
    BOOST_REQUIRE(!!Call().write(wire, 1));
    BOOST_REQUIRE(!!back.read(only(wire).body));
    BOOST_TEST((back.form == Form::Nothing && back.bytes.empty() && back.headers.empty()));
    BOOST_TEST(back.payload == POSTBUS_NO_NODE);
    BOOST_TEST(!back.read(std::string(only(wire).body) + "more"));
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_is_refused) {
    const Tape tape = read("<a/>");
    Buffer wire;
    BOOST_REQUIRE(!!aCall(tape).write(wire, 1));
    // What it says is the tape's to check, and lies behind.
    Buffer said;
    tape.pass(said);
    refusesItsPieces<Call>(wire, only(wire).body.size() - said.size());

    wire.clear();
    BOOST_REQUIRE(!!(Fault{POSTBUS_FAULT_SENDER, "reason", "<d/>"}.write(wire, 1)));
    refusesItsPieces<Fault>(wire, SIZE_MAX);
    wire.clear();
    BOOST_REQUIRE(!!(LogLine{1, 2, "text"}.write(wire)));
    refusesItsPieces<LogLine>(wire, SIZE_MAX);
    wire.clear();
    BOOST_REQUIRE(!!(Refusal{Error::Kind::Internal, "why"}.write(wire)));
    refusesItsPieces<Refusal>(wire, SIZE_MAX);
}

BOOST_AUTO_TEST_CASE(headers_that_can_not_be_there_take_no_memory) {
    Buffer wire;
    BOOST_REQUIRE(!!Answer().write(wire, 1));
    std::string body(only(wire).body);
    body[4] = body[5] = body[6] = body[7] = '\xFF';  // their count, behind the length of the content type
    Answer answer;
    BOOST_TEST(!answer.read(body));
    BOOST_TEST(answer.headers.empty());
}

BOOST_AUTO_TEST_CASE(an_answer_is_of_a_form_that_there_is) {
    Answer answer;
    answer.contentType = "text/plain";
    answer.headers = {{"X-A", "1"}};
    answer.form = Form::Bytes;
    answer.bytes = "hello";
    Buffer wire;
    BOOST_REQUIRE(!!answer.write(wire, 4));
    Answer back;
    BOOST_REQUIRE(!!back.read(only(wire).body));
    BOOST_TEST((back.contentType == "text/plain" && back.bytes == "hello" && back.form == Form::Bytes));
    BOOST_TEST((back.headers == answer.headers));

    std::string body(only(wire).body);
    body[body.size() - 6] = 3;
    BOOST_TEST(!back.read(body));
}

BOOST_AUTO_TEST_CASE(a_fault_blames_the_service_when_it_blames_nobody) {
    for (const auto& [sent, understood] : {std::pair{POSTBUS_FAULT_SENDER, POSTBUS_FAULT_SENDER},
                                           {POSTBUS_FAULT_RECEIVER, POSTBUS_FAULT_RECEIVER},
                                           {decltype(POSTBUS_FAULT_SENDER)(77), POSTBUS_FAULT_RECEIVER}}) {
        Buffer wire;
        BOOST_REQUIRE(!!(Fault{static_cast<std::uint32_t>(sent), "no such account", "<n>1</n>"}.write(wire, 8)));
        Fault back;
        BOOST_REQUIRE(!!back.read(only(wire).body));
        BOOST_TEST(back.code == static_cast<std::uint32_t>(understood));
        BOOST_TEST((back.reason == "no such account" && back.detail == "<n>1</n>"));
    }
}

BOOST_AUTO_TEST_CASE(a_refusal_says_whether_the_start_or_the_file_is_at_fault) {
    for (const auto& [sent, understood] : {std::pair{Error::Kind::Internal, Error::Kind::Internal},
                                           {Error::Kind::Invalid, Error::Kind::Invalid},
                                           {Error::Kind::Timeout, Error::Kind::Invalid}}) {
        Buffer wire;
        BOOST_REQUIRE(!!(Refusal{sent, "why"}.write(wire)));
        Refusal back;
        BOOST_REQUIRE(!!back.read(only(wire).body));
        BOOST_TEST((back.kind == understood && back.reason == "why"));
    }
}

BOOST_AUTO_TEST_CASE(a_line_of_the_log_names_its_service) {
    Buffer wire;
    BOOST_REQUIRE(!!(LogLine{3, POSTBUS_LOG_ERROR, "so"}.write(wire)));
    LogLine back;
    BOOST_REQUIRE(!!back.read(only(wire).body));
    BOOST_TEST((back.service == 3u && back.level == POSTBUS_LOG_ERROR && back.text == "so"));
}

BOOST_AUTO_TEST_SUITE_END()
