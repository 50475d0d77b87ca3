// What every plugin promises the bus (sdk/postbus/abi.h), tried on the built files themselves.
#include <postbus/abi.h>
#include <boost/test/unit_test.hpp>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "formats/xml/parse.hpp"
#include "tests/contracts/plugin_rigs.hpp"
#include "tests/support/plugin_host.hpp"

namespace {

using postbus::test::PluginAnswer;
using postbus::test::PluginCall;
using postbus::test::PluginHost;
using postbus::test::PluginRigs;

std::string_view view(postbus_str text) {
    return text.data ? std::string_view{text.data, text.size} : std::string_view{};
}

bool isMapped(const std::string& file) {
    struct Search {
        const std::string& file;
        bool found = false;
    } search{file};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& its = *static_cast<Search*>(data);
            its.found = its.found || its.file == info->dlpi_name;
            return 0;
        },
        &search);
    return search.found;
}

/// A plugin's file, loaded as the bus does it.
class Library {
public:
    explicit Library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) throw std::runtime_error(dlerror());
        entry_ = reinterpret_cast<postbus_plugin_entry>(dlsym(handle_, POSTBUS_ENTRY_SYMBOL));
        if (!entry_) throw std::runtime_error(file + " exports no " POSTBUS_ENTRY_SYMBOL);
    }
    ~Library() { dlclose(handle_); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    const postbus_plugin& plugin() const { return *entry_(); }
    std::vector<const postbus_service*> services() const {
        return {plugin().services, plugin().services + plugin().service_count};
    }

private:
    void* handle_;
    postbus_plugin_entry entry_;
};

/// Calls kept until their service is stopped, so that a second answer is seen and not a crash.
using Calls = std::vector<std::unique_ptr<PluginCall>>;

bool isName(std::string_view name, std::string_view more) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [more](unsigned char c) {
        return std::isalnum(c) || more.find(static_cast<char>(c)) != std::string_view::npos;
    });
}

std::string element(std::string_view ns, std::string_view name, const std::string& content) {
    return "<p:" + std::string(name) + " xmlns:p='" + std::string(ns) + "'>" + content + "</p:" + std::string(name) +
           ">";
}

/// What no operation can have asked for.
std::vector<std::string> garbage(std::string_view ns, std::string_view name) {
    std::string deep;
    for (int i = 0; i < 150; ++i) deep += "<d>";
    for (int i = 0; i < 150; ++i) deep += "</d>";
    return {element(ns, name, "stray text"),
            element(ns, name, "<zzz/>"),
            element(ns, name, "<zzz xmlns='urn:other' a='b'>x<y/></zzz>"),
            element(ns, name, deep),
            element(ns, name, "<value><value><value/></value></value>"),
            element(ns, name, "<value>" + std::string(100'000, 'x') + "</value>"),
            element(ns, name, "<value href='#there'/>"),
            "<e:Envelope xmlns:e='urn:e'><e:Body/></e:Envelope>",
            "\x01\x02 no XML \xFF"};
}

void checkType(const postbus_type& type, std::vector<const postbus_type*>& seen) {
    if (std::find(seen.begin(), seen.end(), &type) != seen.end()) return;
    seen.push_back(&type);
    BOOST_TEST(type.size >= sizeof(postbus_type));
    BOOST_TEST(isName(view(type.name), "_.-"));
    BOOST_TEST(type.field_size >= sizeof(postbus_field));
    BOOST_TEST((type.kind == POSTBUS_KIND_ENUM || type.kind == POSTBUS_KIND_STRUCT));
    BOOST_TEST((type.value_count > 0) == (type.kind == POSTBUS_KIND_ENUM));
    for (std::uint32_t i = 0; i < type.field_count; ++i) {
        const postbus_field& field = type.fields[i];
        BOOST_TEST(isName(view(field.name), "_.-"));
        BOOST_TEST((field.kind >= POSTBUS_KIND_STRING && field.kind <= POSTBUS_KIND_STRUCT));
        BOOST_TEST((field.type != nullptr) == (field.kind >= POSTBUS_KIND_ENUM));
        if (field.type) checkType(*field.type, seen);
    }
}

/// Whether a fault is one that a binding can pass on.
void checkFault(const PluginAnswer& answer, bool detailIsXml) {
    BOOST_TEST((answer.code == POSTBUS_FAULT_SENDER || answer.code == POSTBUS_FAULT_RECEIVER));
    BOOST_TEST(!answer.reason.empty());
    if (!detailIsXml) return;
    postbus::xml::Tape tape;
    BOOST_TEST(static_cast<bool>(postbus::xml::parse("<detail>" + answer.detail + "</detail>", {}, {}, tape)));
}

/// Lets a thread call the plugin, unloads it while that thread lives on, and looks.
bool isMappedWhileWorkerLives(const std::string& file, const std::string& message) {
    auto library = std::make_unique<Library>(file);
    auto host = std::make_unique<PluginHost>(*library->services()[0]);
    BOOST_REQUIRE((host->create() && host->start()));
    std::atomic<bool> called{false}, unloaded{false};
    std::jthread worker([&] {
        host->call(message);
        called = true;
        called.notify_one();
        unloaded.wait(false);
    });
    called.wait(false);
    host.reset();
    library.reset();
    const bool mapped = isMapped(file);
    unloaded = true;
    unloaded.notify_one();
    return mapped;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_contract)

BOOST_AUTO_TEST_CASE_TEMPLATE(its_entry_is_pure_and_says_what_it_brings, Rig, PluginRigs) {
    const Library library(Rig::file());
    const postbus_plugin& plugin = library.plugin();

    BOOST_TEST(&library.plugin() == &plugin);
    BOOST_TEST(plugin.size >= sizeof(postbus_plugin));
    BOOST_TEST(plugin.abi_major == POSTBUS_ABI_MAJOR);
    BOOST_TEST(isName(view(plugin.name), "-"));
    BOOST_TEST(!view(plugin.version).empty());
    BOOST_TEST(plugin.service_count > 0u);
    for (const postbus_service* service : library.services()) {
        BOOST_REQUIRE(service);
        BOOST_TEST(service->size >= sizeof(postbus_service));
        BOOST_TEST(isName(view(service->name), "_.-"));
        BOOST_TEST(!view(service->ns).empty());
        BOOST_TEST((!service->path.data || view(service->path).starts_with('/')));
        BOOST_TEST((service->create && service->start && service->handle && service->stop && service->destroy));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_lives_as_often_as_it_is_asked_to, Rig, PluginRigs) {
    const Library library(Rig::file());
    for (int round = 0; round < 3; ++round) {
        for (const postbus_service* service : library.services()) {
            PluginHost host(*service);
            BOOST_REQUIRE(host.create());
            BOOST_REQUIRE(host.start());
            BOOST_TEST(!host.operations().empty());
            if (service->health) BOOST_TEST(host.healthy());
            host.stop();
            host.destroy();
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(two_of_it_live_side_by_side, Rig, PluginRigs) {
    const Library library(Rig::file());
    PluginHost one(*library.services()[0]), other(*library.services()[0]);
    BOOST_REQUIRE((one.create() && other.create()));
    BOOST_REQUIRE((one.start() && other.start()));
    one.stop();
    one.destroy();
    PluginCall call(Rig::messages()[0]);
    other.dispatch(call);
    BOOST_TEST(!call.answer().fault, call.answer().reason);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_that_was_made_and_not_started_goes_quietly, Rig, PluginRigs) {
    const Library library(Rig::file());
    for (const postbus_service* service : library.services()) {
        PluginHost host(*service);
        BOOST_REQUIRE(host.create());
        host.destroy();
        BOOST_TEST(host.log().empty());
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_does_not_start_when_its_operations_are_refused, Rig, PluginRigs) {
    const Library library(Rig::file());
    for (const postbus_service* service : library.services()) {
        PluginHost host(*service);
        host.refuseOperations();
        BOOST_REQUIRE(host.create());
        BOOST_TEST(!host.start());
        BOOST_TEST(!host.log().empty());
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(its_operations_are_described_as_the_tables_say, Rig, PluginRigs) {
    const Library library(Rig::file());
    for (const postbus_service* service : library.services()) {
        PluginHost host(*service);
        BOOST_REQUIRE((host.create() && host.start()));
        std::vector<std::string_view> names, elements;
        std::vector<std::uint32_t> ids;
        std::vector<const postbus_type*> seen;
        for (const postbus_operation* each : host.operations()) {
            BOOST_TEST(each->size >= sizeof(postbus_operation));
            BOOST_TEST(isName(view(each->name), "_.-"));
            BOOST_TEST((each->mep >= POSTBUS_MEP_IN_ONLY && each->mep <= POSTBUS_MEP_IN_OPTIONAL_OUT));
            const bool any = (each->flags & POSTBUS_OPERATION_ANY) != 0;
            BOOST_TEST(any == (each->in_element.data == nullptr));
            names.push_back(view(each->name));
            ids.push_back(each->id);
            if (!any) elements.push_back(view(each->in_element));
            if (each->in) checkType(*each->in, seen);
            if (each->out) checkType(*each->out, seen);
        }
        for (auto* list : {&names, &elements}) {
            std::sort(list->begin(), list->end());
            BOOST_TEST((std::adjacent_find(list->begin(), list->end()) == list->end()));
        }
        std::sort(ids.begin(), ids.end());
        BOOST_TEST((std::adjacent_find(ids.begin(), ids.end()) == ids.end()));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_answers_what_it_is_there_for, Rig, PluginRigs) {
    const Library library(Rig::file());
    PluginHost host(*library.services()[0]);
    BOOST_REQUIRE((host.create() && host.start()));
    for (const std::string& message : Rig::messages()) {
        BOOST_TEST_CONTEXT(message) {
            const PluginAnswer answer = host.call(message);
            BOOST_TEST(!answer.fault, answer.reason);
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_answers_exactly_once_whatever_it_is_sent, Rig, PluginRigs) {
    const Library library(Rig::file());
    for (const postbus_service* service : library.services()) {
        PluginHost host(*service);
        BOOST_REQUIRE((host.create() && host.start()));
        Calls calls;
        std::vector<bool> detailIsXml;  // of each call's fault
        for (const postbus_operation* each : host.operations()) {
            const std::string_view name = each->in_element.data ? view(each->in_element) : "anything";
            std::vector<std::string> messages = garbage(view(service->ns), name);
            messages.push_back(element(view(service->ns), name, ""));
            for (const std::string& message : messages) {
                calls.push_back(std::make_unique<PluginCall>(message));
                BOOST_REQUIRE_NO_THROW(host.dispatch(*calls.back(), *each));
            }
            // One that no binding would make: an operation named, and nothing there.
            calls.push_back(std::make_unique<PluginCall>("<x/>"));
            calls.back()->c()->payload = POSTBUS_NO_NODE;
            BOOST_REQUIRE_NO_THROW(host.dispatch(*calls.back(), *each));
            detailIsXml.resize(calls.size(), !Rig::misbehaves(view(each->name)));
        }
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (const PluginAnswer answer = calls[i]->answer(); answer.fault) checkFault(answer, detailIsXml[i]);

        host.stop();

        for (const auto& call : calls) BOOST_TEST(call->answers() == 1);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_is_called_from_many_threads_at_once, Rig, PluginRigs) {
    constexpr int threads = 4, rounds = 50;
    const Library library(Rig::file());
    PluginHost host(*library.services()[0]);
    BOOST_REQUIRE((host.create() && host.start()));
    const std::vector<std::string> messages = Rig::messages();
    std::vector<Calls> calls(threads);
    {
        std::vector<std::jthread> callers;
        for (Calls& mine : calls) {
            callers.emplace_back([&host, &messages, &mine] {
                for (int i = 0; i < rounds; ++i) {
                    mine.push_back(
                        std::make_unique<PluginCall>(messages[static_cast<std::size_t>(i) % messages.size()]));
                    host.dispatch(*mine.back());
                }
            });
        }
    }
    int faults = 0;
    for (Calls& mine : calls)
        for (const auto& call : mine) faults += call->answer().fault ? 1 : 0;

    host.stop();

    BOOST_TEST(faults == 0);
    int wrong = 0;
    for (Calls& mine : calls)
        for (const auto& call : mine) wrong += call->answers() == 1 ? 0 : 1;
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_leaves_nothing_mapped, Rig, PluginRigs) {
    {
        const Library library(Rig::file());
        BOOST_REQUIRE(isMapped(Rig::file()));
        for (const postbus_service* service : library.services()) {
            PluginHost host(*service);
            BOOST_REQUIRE((host.create() && host.start()));
            for (const std::string& message : Rig::messages()) {
                std::thread([&] { host.call(message); }).join();
                host.call(message);
            }
        }
    }
    BOOST_TEST(!isMapped(Rig::file()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_worker_that_has_called_it_does_not_hold_it, Rig, PluginRigs) {
    BOOST_TEST(!isMappedWhileWorkerLives(Rig::file(), Rig::messages()[0]));
}

BOOST_AUTO_TEST_SUITE_END()
