#include <map>
#include <random>

#include "tests/support/tries.hpp"
#include "tests/unit/queues/engine/engine_rig.hpp"

/// The engine beside a model of a few lines: whatever is done, both agree on what comes next and on what is left.
using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;
using std::chrono::seconds;

namespace {

constexpr std::uint32_t kMost = 3;
constexpr int kPause = 2;  // seconds between attempts

struct Modelled {
    int priority = 4;
    std::int64_t sentDue = 0, due = 0, expires = INT64_MAX;
    std::uint32_t attempts = 0, stored = 0;
    bool held = false, suspect = false, odd = false;
};

struct Model {
    std::int64_t time = 0;
    std::map<int, Modelled> messages, dead;  // by number, which is the order of sending

    void tidy() {
        std::erase_if(messages, [this](const auto& each) { return !each.second.held && each.second.expires <= time; });
    }
    /// What a consumer gets next (-1: nothing); those with too many attempts on the way there are set aside.
    int next(bool odd) {
        for (int priority = 9; priority >= 0; --priority) {
            for (auto at = messages.begin(); at != messages.end();) {
                auto& [number, each] = *at++;
                if (each.held || each.due > time || each.priority != priority) continue;
                if (each.attempts >= kMost) {
                    dead[number] = each;
                    messages.erase(number);
                } else if (!odd || each.odd) {
                    return number;
                }
            }
        }
        return -1;
    }
    void give(int number) {
        Modelled& each = messages[number];
        each.held = true;
        ++each.attempts;
        if (each.attempts > 1 || each.suspect) each.stored = std::max(each.stored, each.attempts);
    }
    void fail(int number) {
        Modelled& each = messages[number];
        each.held = false;
        each.due = time + kPause;
        if (each.attempts >= kMost) dead[number] = each;
        if (each.attempts >= kMost || each.expires <= time) messages.erase(number);
    }
    void release(int number) {
        Modelled& each = messages[number];
        each.held = false;
        --each.attempts;
        tidy();
    }
    void crash() {
        for (auto& [number, each] : messages) {
            each.held = false;
            each.suspect = true;
            each.attempts = each.stored;
            each.due = each.sentDue;  // a pause after a failure does not outlive the daemon
        }
        tidy();
    }
};

class Run {
public:
    explicit Run(unsigned seed) : random_(seed) {
        QueueSettings settings;
        settings.maxDeliveries = kMost;
        settings.redeliveryDelay = seconds(kPause);
        settings.redeliveryMultiplier = 1;
        settings.memory = 2000_B;
        BOOST_REQUIRE(rig_.engine().declareQueue("q", settings));
        open();
    }

    void go(int steps) {
        for (int i = 0; i < steps; ++i) {
            switch (draw(12)) {
                case 0:
                case 1:
                case 2:
                case 3:
                    send();
                    break;
                case 4:
                case 5:
                case 6:
                    receive();
                    break;
                case 7:
                case 8:
                    answer();
                    break;
                case 9:
                    pass();
                    break;
                case 10:
                    transact();
                    break;
                default:
                    if (draw(10) == 0) crash();
            }
            const QueueStatus status = rig_.status("q");
            BOOST_REQUIRE_EQUAL(status.depth(), model_.messages.size());
            BOOST_REQUIRE_EQUAL(status.inFlight, held_.size());
        }
        const auto dead = rig_.engine().browse("DLQ.q", {.limit = 100'000});
        BOOST_REQUIRE_EQUAL(dead ? dead->size() : 0, model_.dead.size());
    }

private:
    int draw(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

    void open() {
        rig_.consume("q", all_, {.prefetch = 0});
        rig_.consume("q", odd_, {.selector = "odd", .prefetch = 0});
    }
    Message make() {
        Modelled& each = model_.messages[++number_];
        each.priority = draw(3) + 3;
        each.odd = draw(2) == 1;
        Message made = message(std::to_string(number_) + std::string(static_cast<std::size_t>(draw(300)), ' '));
        made.priority = static_cast<std::uint8_t>(each.priority);
        made.properties = {{"odd", each.odd}};
        if (draw(6) == 0) {
            made.delay = seconds(draw(5) + 1);
            each.due = each.sentDue = model_.time + made.delay / seconds(1);
        }
        if (draw(6) == 0) {
            made.timeToLive = seconds(draw(20) + 1);
            each.expires = model_.time + made.timeToLive / seconds(1);
        }
        return made;
    }
    void send() { rig_.send("q", make()); }

    void receive() {
        const bool odd = draw(2) == 1;
        Inbox& inbox = odd ? odd_ : all_;
        const int expected = model_.next(odd);
        if (expected < 0) return;  // the credit would stay
        rig_.session().addCredit(inbox.id, 1);
        rig_.settle();
        BOOST_REQUIRE_MESSAGE(inbox.deliveries.size() == 1u, "expected " << expected);
        Delivery delivery = inbox.take();
        BOOST_REQUIRE_EQUAL(std::stoi(delivery.message->body), expected);
        model_.give(expected);
        BOOST_REQUIRE_EQUAL(delivery.count, model_.messages[expected].attempts);
        held_.push_back({expected, std::move(delivery)});
    }
    std::pair<int, Delivery> pickHeld() {
        const auto at = held_.begin() + draw(static_cast<int>(held_.size()));
        auto picked = std::move(*at);
        held_.erase(at);
        return picked;
    }
    void answer() {
        if (held_.empty()) return;
        const auto [number, delivery] = pickHeld();
        Session& session = rig_.session();
        switch (draw(4)) {
            case 0:
                BOOST_REQUIRE(session.fail(delivery.consumer, delivery.tag, "model"));
                model_.fail(number);
                break;
            case 1:
                BOOST_REQUIRE(session.release(delivery.consumer, delivery.tag));
                model_.release(number);
                break;
            default:
                session.acknowledge(delivery.consumer, delivery.tag, [](const Result<void>&) {});
                model_.messages.erase(number);
        }
        rig_.settle();
    }
    /// Some sends and one acknowledgement, at once or not at all.
    void transact() {
        const TransactionId id = rig_.session().begin();
        const Model before = model_;
        const bool commit = draw(2) == 1;
        for (int i = draw(3); i > 0; --i) BOOST_REQUIRE(rig_.session().send(id, "q", make()));
        int number = 0;
        if (!held_.empty()) {
            const auto [picked, delivery] = pickHeld();
            BOOST_REQUIRE(rig_.session().acknowledge(id, delivery.consumer, delivery.tag));
            number = picked;
        }
        if (commit) {
            std::optional<Result<void>> done;
            rig_.session().commit(id, rig_.note(done));
            rig_.settle();
            BOOST_REQUIRE((done && *done));
            model_.messages.erase(number);
        } else {
            BOOST_REQUIRE(rig_.session().rollBack(id));
            rig_.settle();
            model_ = before;
            if (number) model_.fail(number);
        }
    }
    void pass() {
        const int time = draw(3) + 1;
        model_.time += time;
        model_.tidy();
        rig_.pass(seconds(time));
    }
    void crash() {
        held_.clear();
        model_.crash();
        all_ = {};
        odd_ = {};
        rig_.crash();
        open();
    }

    std::mt19937 random_;
    EngineRig rig_;
    Model model_;
    Inbox all_, odd_;
    std::vector<std::pair<int, Delivery>> held_;
    int number_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(model)

BOOST_AUTO_TEST_CASE(agrees_with_the_engine_over_thousands_of_random_steps) {
    for (int seed = 1; seed <= postbus::test::tries(30); ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed) { Run(static_cast<unsigned>(seed)).go(700); }
    }
}

BOOST_AUTO_TEST_SUITE_END()
