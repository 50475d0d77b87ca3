// Every exchange ends exactly once, whatever the plugin and the caller do, while the plugin is replaced and removed:
// real plugins under a real deployer, called at random on real loops.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "core/bus.hpp"
#include "plugins/deployer/host_table.hpp"
#include "tests/contracts/endings_house.hpp"
#include "transports/inproc/tape_binding.hpp"
#include "transports/queue/queue_loop.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

const inproc::TapeBinding binding;

/// One caller: asks once, is answered, waits no longer, or goes away. For its loop's thread, but for the figures.
class Asked final : public core::Replier, public Timer, public std::enable_shared_from_this<Asked> {
public:
    Asked(core::Bus& bus, queue::QueueLoop& loop) : bus_(bus), loop_(loop) {}

    void ask(const std::string& operation, const std::string& how, milliseconds limit) {
        core::PayloadWriter writer;
        writer.begin(tape_);
        writer.start(endingsNs, operation);
        writer.start({}, "how");
        writer.text(how);
        writer.end();
        writer.end();
        (void)writer.finish();
        core::Admission admission{bus_.routes(), nullptr, &binding};
        admission.route = admission.table ? admission.table->find("any", "/test/endings") : nullptr;
        if (!admission.route) return void(over_ = true);  // not deployed just now
        begun_ = true;
        request_.head.method = "POST";
        request_.head.path = "/test/endings";
        core::Origin origin;
        origin.tape = &tape_;
        ref_ = bus_.port().receive(loop_.exchanges(), std::move(admission), request_, core::ReplyTo(shared_from_this()),
                                   limit, origin);
        if (!over_) loop_.setTimer(*this, ref_.deadline());
    }
    void goAway() {
        if (over_ || !begun_) return;
        loop_.cancelTimer(*this);
        ref_.abandon();
        gone_ = over_ = true;
    }
    void answer(core::WireAnswer&& given) override {
        ++answers_;
        loop_.cancelTimer(*this);
        loop_.exchanges().giveBuffer(std::move(given.body));
        over_ = true;
    }
    void onTimer() override { ref_.expire(Error(Error::Kind::Timeout, "no answer in time")); }

    bool over() const { return over_; }
    bool begun() const { return begun_; }
    bool right() const { return answers_ == (begun_ && !gone_ ? 1 : 0); }

private:
    core::Bus& bus_;
    queue::QueueLoop& loop_;
    xml::Tape tape_;
    core::WireRequest request_;
    core::ExchangeRef ref_;
    std::atomic<bool> over_{false}, begun_{false}, gone_{false};
    std::atomic<int> answers_{0};
};

struct House : EndingsHouse {
    queue::QueueLoop first{bus}, second{bus};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(endings_contract)

BOOST_AUTO_TEST_CASE(every_exchange_ends_exactly_once_while_its_plugin_is_replaced) {
    const unsigned seed = std::random_device()();
    BOOST_TEST_CONTEXT("seed " << seed) {
        std::mt19937 random(seed);
        House house;
        BOOST_REQUIRE(house.open());
        const auto& operations = endingsOperations;
        const auto& hows = endingsHows;
        int calls = 4'000;
        constexpr int most = 200'000;  // against hanging
        std::deque<std::shared_ptr<Asked>> all;
        for (int i = 0; i < calls; ++i) {
            queue::QueueLoop& loop = i % 2 ? house.first : house.second;
            const auto asked = all.emplace_back(std::make_shared<Asked>(house.bus, loop));
            const std::string operation = operations[random() % std::size(operations)],
                              how = hows[random() % std::size(hows)];
            const milliseconds limit(how == "hold" || random() % 4 == 0 ? random() % 40 + 1 : 60'000);
            loop.post([=] { asked->ask(operation, how, limit); });
            if (random() % 4 == 0) loop.post([asked] { asked->goAway(); });
            if (i % 400 == 200) house.deploy(i % 800 == 200 ? 2 : 1);
            if (i % 1'600 == 1'500) house.undeploy();
            if (i % 1'600 == 1'590) house.deploy(1);
            while (house.bus.figures().open > 60) std::this_thread::yield();
            if (i % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));  // for the deployer
            // However slow that is, calls go on until versions have taken each other's place.
            if (i + 1 == calls && calls < most && house.loaded() <= 2) calls += 400;
        }

        BOOST_TEST(eventually(
            [&] { return std::all_of(all.begin(), all.end(), [](const auto& each) { return each->over(); }); }));
        BOOST_TEST(eventually([&] { return house.bus.figures().open == 0; }));
        BOOST_TEST(std::count_if(all.begin(), all.end(), [](const auto& each) { return !each->right(); }) == 0);
        const auto begun = std::count_if(all.begin(), all.end(), [](const auto& each) { return each->begun(); });
        BOOST_TEST(begun > calls / 2);
        BOOST_TEST_MESSAGE(begun << " of " << calls << " begun, " << house.bus.figures().begun << " with those within");
        BOOST_TEST(house.bus.figures().begun >= static_cast<std::uint64_t>(begun));
        BOOST_TEST(deployer::misuses() > 0u);  // those that answered twice

        // Nothing of any generation is left behind: each that was loaded is unloaded.
        BOOST_TEST(eventually([&] { return house.serves(); }));  // or its start could come after what follows
        house.undeploy();
        BOOST_TEST(eventually([&] { return !house.serves(); }));
        house.bus.publish(nullptr);
        BOOST_TEST(eventually([&] { return house.unloaded() == house.loaded(); }), house.log.text());
        BOOST_TEST(house.log.count(" plugin.misbehaved ") == 0u);
        house.deployer->stop(Clock::now() + std::chrono::seconds(20));
        BOOST_TEST(house.loaded() > 2u);
        BOOST_TEST(house.unloaded() == house.loaded());
        house.bus.workers().stop();
        BOOST_TEST(house.first.finish(Clock::now() + std::chrono::seconds(20)));
        BOOST_TEST(house.second.finish(Clock::now() + std::chrono::seconds(20)));
    }
}

BOOST_AUTO_TEST_SUITE_END()
