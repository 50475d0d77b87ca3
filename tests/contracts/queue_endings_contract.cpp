// Every message of a queue ends exactly once, whatever the plugin, the reply queue and the consumers do: acknowledged
// with one answer or none, as its pattern says, or set aside with the reason. Real plugins under a real deployer, real
// queues on a disk.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bindings/soap/soap_binding.hpp"
#include "queues/store/sqlite_store.hpp"
#include "tests/contracts/endings_house.hpp"
#include "transports/queue/queue_transport.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

constexpr std::string_view answersName = "answers";
constexpr int attempts = 3;

/// One with several consumers, one that keeps the order and is soon busy.
const std::vector<queue::QueueEndpoint> endpoints{{"Endings", "many", 4, 3, attempts}, {"Busy", "one", 1, 2, attempts}};

Result<void> routeBoth(core::RouteTable& table, const deployer::ActiveService& service) {
    for (const auto& each : endpoints) {
        core::Route route;
        route.name = each.name;
        route.endpoint = service.endpoint;
        route.bindings = {soap::makeSoapBinding(service.endpoint->contract(), {})};
        route.limits.timeout = milliseconds(40);
        if (each.name == "Busy") route.limits.concurrency = 1;
        table.addNamed(std::move(route));
    }
    return ok();
}

struct Sent {
    std::string operation, how, replyTo;
    bool fleeting = false;  ///< it may expire
    bool inOut() const { return operation == "inline" || operation == "pooled" || operation == "task"; }
};

/// What came of a message, as the queues show it.
struct Fate {
    int answers = 0, dead = 0;
    bool fault = false, busy = false;  ///< the answer; busy: refused before anybody could know its operation
    std::string reason;                ///< of one that was set aside

    void add(const queues::Message& answer) {
        ++answers;
        for (const auto& each : answer.properties)
            if (each.name == "SOAPJMS_isFault") fault = std::get<bool>(each.value);
        busy = fault && answer.body.find("endpoint Busy is busy") != std::string::npos;
    }
};

/// Has a temporary queue, and goes with it.
class Listener {
public:
    Listener(queues::Engine& engine, std::map<std::string, Fate>& fates, std::mutex& mutex)
        : session_(engine.connect()) {
        auto made = session_->temporaryQueue();
        BOOST_REQUIRE(made);
        name_ = *made;
        queues::ConsumerOptions options;
        options.automatic = true;
        BOOST_REQUIRE(session_->consume(name_, options, [&fates, &mutex](const queues::Delivery& delivery) {
            const std::lock_guard lock(mutex);
            fates[delivery.message->correlationId].add(*delivery.message);
        }));
    }
    const std::string& name() const { return name_; }

private:
    std::unique_ptr<queues::Session> session_;
    std::string name_;
};

struct House : EndingsHouse {
    House() : EndingsHouse(routeBoth) {
        auto store = queues::SqliteStore::open({(scratch.path() / "queues").string(), 4'000, ByteSize{0}});
        BOOST_REQUIRE(store);
        queues::EngineSettings settings;
        settings.defaults.redeliveryDelay = milliseconds(1);
        settings.defaults.redeliveryMultiplier = 1;
        settings.defaults.maxDeliveries = attempts;
        auto opened = queues::Engine::open(std::move(*store), settings);
        BOOST_REQUIRE(opened);
        engine = std::move(*opened);
        engine->start();
        for (const auto& each : endpoints) BOOST_REQUIRE(engine->declareQueue(each.queue, settings.defaults));
        BOOST_REQUIRE(engine->declareQueue(answersName, settings.defaults));
        transport = std::make_unique<queue::QueueTransport>(bus);
        transport->apply(engine, endpoints);
    }
    ~House() {
        transport->stop(Clock::now() + std::chrono::seconds(20));
        bus.publish(nullptr);
        deployer->stop(Clock::now() + std::chrono::seconds(20));
        bus.workers().stop();
    }
    void send(const std::string& queue, const std::string& id, const Sent& what) {
        queues::Message message;
        message.id = id;
        message.replyTo = what.replyTo;
        if (what.fleeting) message.timeToLive = milliseconds(20);
        message.contentType = "text/xml; charset=utf-8";
        message.body = R"(<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><e:)" +
                       what.operation + R"( xmlns:e="urn:postbus:test:endings"><how>)" + what.how +
                       "</how></e:" + what.operation + "></s:Body></s:Envelope>";
        engine->send(queue, std::move(message), [this](const Result<void>& done) { ++(done ? confirmed : refused); });
    }
    queues::QueueStatus status(const std::string& queue) const {
        const auto found = engine->status(queue);
        return found ? *found : queues::QueueStatus();
    }
    /// How many messages have come to their end, and how many are there still, some of them with an end that is not
    /// stored yet.
    struct Count {
        std::uint64_t ended = 0, left = 0;
    };
    Count count() const {
        Count sum;
        for (const auto& each : endpoints) {
            const queues::QueueStatus now = status(each.queue);
            sum.ended += now.acknowledged + now.dead + now.expired;
            sum.left += now.depth();
        }
        return sum;
    }
    std::vector<queues::Browsed> all(const std::string& queue) const {
        queues::BrowseQuery query;
        query.limit = 100'000;
        query.bodies = true;
        auto found = engine->browse(queue, query);
        return found ? std::move(*found) : std::vector<queues::Browsed>();
    }

    std::shared_ptr<queues::Engine> engine;
    std::unique_ptr<queue::QueueTransport> transport;
    std::atomic<int> confirmed{0}, refused{0};
};

void gather(const House& house, std::map<std::string, Fate>& fates) {
    for (const auto& each : house.all(std::string(answersName))) fates[each.message->correlationId].add(*each.message);
    for (const auto& endpoint : endpoints)
        for (const auto& each : house.all("DLQ." + endpoint.queue)) {
            Fate& fate = fates[each.message->id];
            ++fate.dead;
            if (each.deadLetter) fate.reason = each.deadLetter->reason;
        }
}

/// What is not as it must be, or nothing.
std::string complaint(const Sent& sent, const Fate& fate) {
    const bool lasting = sent.replyTo == answersName;
    if (fate.answers + fate.dead > 1) return "ended more than once";
    if (fate.dead && fate.reason.empty()) return "set aside without a reason";
    if (sent.operation == "only" && fate.answers && !fate.busy) return "in-only was answered";
    if (sent.replyTo.empty() && fate.answers) return "answered without a reply-to";
    if (sent.inOut() && !sent.fleeting && lasting && fate.answers + fate.dead == 0) return "in-out was not answered";
    const bool mustFail = sent.how == "fault" || sent.how == "throw" || sent.how == "forget";
    if (sent.inOut() && sent.operation != "task" && lasting && mustFail && fate.answers && !fate.fault)
        return "a failure came as an answer";
    if (sent.inOut() && !sent.fleeting && sent.replyTo == "temp.nobody" && !fate.dead)
        return "its answer had no place, and it was not set aside";
    return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(queue_endings_contract)

BOOST_AUTO_TEST_CASE(every_message_ends_exactly_once) {
    const unsigned seed = std::random_device()();
    BOOST_TEST_CONTEXT("seed " << seed) {
        std::mt19937 random(seed);
        House house;
        BOOST_REQUIRE(house.open());
        const auto& operations = endingsOperations;
        const auto& hows = endingsHows;
        constexpr int messages = 1'200;
        std::map<std::string, Sent> sent;
        std::map<std::string, Fate> fates;
        std::mutex mutex;  // of the fates while there is a listener
        auto listener = std::make_unique<Listener>(*house.engine, fates, mutex);
        for (int i = 0; i < messages; ++i) {
            Sent what{operations[random() % std::size(operations)], hows[random() % std::size(hows)], {}};
            const auto whereTo = random() % 8;
            if (whereTo < 4) what.replyTo = answersName;
            if (whereTo == 4) what.replyTo = listener->name();
            if (whereTo == 5) what.replyTo = "temp.nobody";
            what.fleeting = random() % 16 == 0;
            const std::string id = "ID:" + std::to_string(i);
            house.send(random() % 8 ? "many" : "one", id, what);
            sent.emplace(id, std::move(what));

            if (i % 100 == 50) listener = std::make_unique<Listener>(*house.engine, fates, mutex);
            if (i % 200 == 100) house.deploy(i % 400 == 100 ? 2 : 1);
            if (i % 500 == 400) house.undeploy();
            if (i % 500 == 450) house.deploy(1);
            if (i % 150 == 75) house.transport->apply(house.engine, {});
            if (i % 150 == 80) house.transport->apply(house.engine, endpoints);
            if (i == messages / 2) {
                // As at the end of a daemon that does not wait, and the start of the next.
                house.transport->stop(Clock::now());
                house.transport = std::make_unique<queue::QueueTransport>(house.bus);
                house.transport->apply(house.engine, endpoints);
            }
            const bool taken = i % 150 < 75 || i % 150 > 80;
            const bool there = i % 500 < 400 || i % 500 > 450;
            while (taken && there && i > 40 + static_cast<int>(house.count().ended))
                std::this_thread::sleep_for(milliseconds(1));
        }

        BOOST_TEST(eventually([&] { return house.confirmed + house.refused == messages; }));
        BOOST_TEST(eventually([&] {
            const House::Count now = house.count();
            return now.ended >= messages && now.left == 0;
        }));
        BOOST_TEST(eventually([&] { return house.bus.figures().open == 0; }));
        listener.reset();
        BOOST_TEST(house.refused == 0);

        const std::lock_guard lock(mutex);
        gather(house, fates);
        std::map<std::string, int> complaints;
        int answered = 0, dead = 0;
        for (const auto& [id, what] : sent) {
            const Fate& fate = fates[id];
            answered += fate.answers;
            dead += fate.dead;
            if (const std::string wrong = complaint(what, fate); !wrong.empty())
                ++complaints[wrong + ": " + what.operation + ' ' + what.how + " to '" + what.replyTo + "' " +
                             fate.reason];
        }
        for (const auto& [what, count] : complaints) BOOST_ERROR(what << " (" << count << ")");
        BOOST_TEST(fates.size() == sent.size());  // no answer to anything else

        std::uint64_t redelivered = 0, setAside = 0;
        for (const auto& each : endpoints) {
            const queues::QueueStatus status = house.status(each.queue);
            setAside += status.dead;
            redelivered += status.redelivered;
        }
        BOOST_TEST(house.count().ended == static_cast<std::uint64_t>(messages));
        BOOST_TEST(setAside == static_cast<std::uint64_t>(dead));
        BOOST_TEST(redelivered > 0u);
        BOOST_TEST(answered > messages / 8);
        BOOST_TEST(dead > 0);
        const auto figures = house.bus.figures();
        BOOST_TEST(figures.timeouts > 0u);
        // Nothing of any generation is held by a queue.
        BOOST_TEST(eventually([&] { return house.serves(); }));
        house.undeploy();
        BOOST_TEST(eventually([&] { return !house.serves(); }));
        house.bus.publish(nullptr);
        BOOST_TEST(eventually([&] { return house.unloaded() == house.loaded(); }));
        BOOST_TEST(house.log.count(" plugin.misbehaved ") == 0u);
        BOOST_TEST_MESSAGE(answered << " answered, " << dead << " set aside, " << redelivered << " came again, "
                                    << figures.begun << " exchanges, " << figures.timeouts << " too late, "
                                    << figures.abandoned << " given up");
    }
}

BOOST_AUTO_TEST_SUITE_END()
