#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "base/log/event.hpp"
#include "core/bus.hpp"
#include "tests/support/script_server.hpp"
#include "transports/http/client/call_head.hpp"
#include "transports/http/http_transport.hpp"

namespace postbus::http {

using test::ScriptPeer;
using test::ScriptServer;

/// A call that a test waits for.
struct Asked final : ClientCall, core::BodyPipe::Reader {
    std::string sentBody;

    void onAnswer(ClientAnswer& answer) override {
        {
            const std::lock_guard lock(mutex);
            status = answer.status;
            contentType = answer.head.contentType(answer.base);
            given = answer.body.view();
            streamed = answer.stream != nullptr;
        }
        stream = answer.stream;
        if (!stream) return end();
        stream->readBy(this);
        onBody();
    }
    void onFailure(Error error) override {
        {
            const std::lock_guard lock(mutex);
            failure = std::move(error);
        }
        end();
    }
    void onBody() override {
        while (!stream->peek().empty()) {
            const std::lock_guard lock(mutex);
            const std::string_view piece = stream->peek();
            given += piece;
            stream->consume(piece.size());
        }
        if (stream->state() == core::BodyPipe::State::Open) return;
        if (stream->state() == core::BodyPipe::State::Failed) {
            const std::lock_guard lock(mutex);
            failure = Error(stream->error());
        }
        end();
    }
    void end() {
        const std::lock_guard lock(mutex);
        ++ends;
        wake.notify_all();
    }
    bool waits() {
        std::unique_lock lock(mutex);
        return wake.wait_for(lock, std::chrono::seconds(20), [this] { return ends > 0; });
    }

    std::mutex mutex;
    std::condition_variable wake;
    int ends = 0, status = 0;
    bool streamed = false;
    std::string contentType, given;
    std::optional<Error> failure;
    std::shared_ptr<core::BodyPipe> stream;
};

/// A transport without listeners, whose one loop calls.
struct Client {
    Client() { log::configure({.format = log::Format::Text, .level = log::Level::Error, .descriptor = 2}); }
    ~Client() {
        transport.stop(Clock::now());
        bus.workers().stop();
    }

    std::shared_ptr<Asked> make(const std::string& url, std::string method = "POST", std::string body = "hello",
                                const BackendConfig& config = {}) {
        auto asked = std::make_shared<Asked>();
        asked->backend = std::move(*Backend::make(*parseHttpUrl(url), config));
        asked->sentBody = std::move(body);
        asked->body = asked->sentBody;
        asked->idempotent = method == "GET" || method == "HEAD";
        asked->headOnly = method == "HEAD";
        CallHead head(asked->head);
        if (!head.begin(method, *asked->backend, {})) throw std::runtime_error("the head of a test's request");
        head.number("Content-Length", asked->body.size());
        head.end();
        return asked;
    }
    /// On the loop.
    void run(std::function<void(ClientPool&)> task) {
        std::mutex mutex;
        std::condition_variable wake;
        bool done = false;
        transport.client().elsewhere([&](ClientPool& pool) {
            task(pool);
            const std::lock_guard lock(mutex);
            done = true;
            wake.notify_one();
        });
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return done; });
    }
    std::shared_ptr<Asked> ask(std::shared_ptr<Asked> asked) {
        transport.client().elsewhere([asked](ClientPool& pool) { pool.start(asked); });
        if (!asked->waits()) throw std::runtime_error("the call does not come to an end");
        return asked;
    }
    std::shared_ptr<Asked> ask(const std::string& url, std::string method = "POST", std::string body = "hello",
                               const BackendConfig& config = {}) {
        return ask(make(url, std::move(method), std::move(body), config));
    }
    std::size_t busy() {
        std::size_t count = 0;
        run([&](ClientPool& pool) { count = pool.busy(); });
        return count;
    }

    core::Bus bus{1, 10};
    HttpTransport transport{bus, "http", 1};
};

}  // namespace postbus::http
