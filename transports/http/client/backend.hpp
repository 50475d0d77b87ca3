#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "transports/http/client/backend_config.hpp"
#include "transports/http/client/http_url.hpp"

namespace postbus::http {

/// A text that lies in a file and is read anew when the file changes, looked at once a second at most. Thread-safe.
class FileText {
public:
    explicit FileText(std::string path) : path_(std::move(path)) {}

    /// Without the line end behind it. Of a file that can't be read any more the last text; NotFound while there is
    /// none, with the reason.
    Result<std::string> get();

private:
    Result<std::string> read() const;

    const std::string path_;
    std::mutex mutex_;
    TimePoint looked_{};
    std::int64_t changed_ = -1;  // what stat(2) said when it was read
    std::string text_;
};

/// A server that is called, as a configuration describes it. Shared by all loops; but for files with credentials it
/// never changes.
class Backend {
public:
    /// Invalid, with the key that is wrong in its text, when a part of `config` can't be used.
    static Result<std::shared_ptr<Backend>> make(HttpUrl url, BackendConfig config);

    const HttpUrl& url() const { return url_; }
    const BackendConfig& config() const { return config_; }
    /// For messages: "backend http://127.0.0.1:9000/stock".
    const std::string& name() const { return name_; }
    /// Where its connections lead: the proxy, if there is one.
    const std::string& connectHost() const { return proxy_.host.empty() ? url_.host : proxy_.host; }
    std::uint16_t connectPort() const { return proxy_.host.empty() ? url_.port : proxy_.port; }
    const std::string& key() const { return key_; }
    bool proxied() const { return !proxy_.host.empty(); }

    /// The value of Authorization, or empty where the configuration has no credentials.
    Result<std::string> authorization() const;
    bool hasCredentials() const { return !config_.credentials.user.empty() || bearer_; }
    /// The same server at another path, for what it refers to.
    std::shared_ptr<const Backend> at(HttpUrl url) const;

private:
    Backend(HttpUrl url, BackendConfig config);

    HttpUrl url_, proxy_;
    BackendConfig config_;
    std::string name_, key_;
    std::shared_ptr<FileText> password_, bearer_;
};

}  // namespace postbus::http
