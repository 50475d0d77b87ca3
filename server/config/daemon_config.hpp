#pragma once

#include <postbus/fields.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/clock.hpp"
#include "base/log/event.hpp"
#include "base/units.hpp"
#include "bindings/soap/soap_binding.hpp"
#include "config/site.hpp"
#include "core/routing/dispatch.hpp"
#include "server/config/destination_config.hpp"
#include "server/config/interceptor_config.hpp"
#include "server/config/out_config.hpp"
#include "server/config/queue_config.hpp"
#include "transports/http/client/backend_config.hpp"
#include "transports/http/http_config.hpp"

/// The whole configuration of a daemon. Names are those of the YAML file; docs/reference/configuration.md, the JSON
/// schema and config/defaults/postbus.yaml come from or are compared with these tables.
namespace postbus::server {

struct TransportsConfig {
    http::HttpConfig http;

    static constexpr auto fields() { return std::tuple{field("http", &TransportsConfig::http, "HTTP/1.1.")}; }
};

struct PluginsConfig {
    std::string folder = "deploy";
    bool bundled = true;
    milliseconds quiet{250};
    milliseconds drain{30'000};

    static constexpr auto fields() {
        return std::tuple{
            field("folder", &PluginsConfig::folder,
                  "Folder that is watched for plugins; relative to the state folder. A change needs a restart."),
            field("bundled", &PluginsConfig::bundled,
                  "Load the plugins that come with Postbus. One of the same name in the folder replaces it, "
                  "NAME.disabled there hides it. A change needs a restart."),
            field("quiet", &PluginsConfig::quiet,
                  "How long a file must have rested before it is loaded, so that no half copy is. "
                  "A change needs a restart."),
            field("drain", &PluginsConfig::drain,
                  "How long calls of a replaced or removed plugin may take to end. A change needs a restart."),
        };
    }
    void validate(const config::Site& site);
};

struct EndpointPath {
    std::string path;
    std::string listener;  ///< empty: all

    static constexpr std::string_view shorthand = "path";
    static constexpr auto fields() {
        return std::tuple{
            field("path", &EndpointPath::path, "Path of the URL, as in /cxf/HelloWorld; decoded, without a query."),
            field("listener", &EndpointPath::listener,
                  "Name (else address) of the one listener that serves it; default: all."),
        };
    }
    void validate(const config::Site& site);
};

struct EndpointLimits {
    std::uint32_t concurrency = 0;
    milliseconds timeout{0};
    ByteSize body{0};

    static constexpr auto fields() {
        return std::tuple{
            field("concurrency", &EndpointLimits::concurrency,
                  "Exchanges at once; further ones are answered 503. 0: any number."),
            field("timeout", &EndpointLimits::timeout,
                  "From the whole request to the answer. 0s: the listener's exchange-time. Another stands in its "
                  "place, also where it is longer."),
            field("body", &EndpointLimits::body, "Bytes of a request's body (413). 0: the listener's."),
        };
    }
};

struct EndpointConfig {
    std::string to;  ///< service:NAME, http://..., queue:NAME or topic:NAME; filled in after reading
    std::optional<std::vector<EndpointPath>> http;  ///< none: the path its plugin names; empty: not over HTTP
    std::optional<EndpointQueueConfig> queue;
    std::optional<EndpointTopicConfig> topic;
    std::optional<http::BackendConfig> backend;
    std::optional<SendConfig> send;
    std::map<std::string, OutConfig> out;  ///< of its service, by the messages' names
    std::optional<soap::SoapConfig> soap;
    core::Dispatch dispatch = core::Dispatch::Declared;
    Interceptors interceptors;
    EndpointLimits limits;
    std::vector<std::string> callbacks;  ///< of an out message: the addresses that it may name; not a key of its own

    /// Whether it leads to a service behind an address.
    bool remote() const { return to.starts_with("http:") || to.starts_with("https:"); }
    /// Whether it leads to a queue or a topic.
    bool toDestination() const { return destination::Destination::isOne(to); }
    /// Whether it leads to no service of this bus.
    bool leadsOut() const { return remote() || toDestination() || !callbacks.empty(); }
    std::string_view service() const { return std::string_view(to).substr(std::string_view("service:").size()); }

    static constexpr auto fields() {
        return std::tuple{
            field("to", &EndpointConfig::to,
                  "service:NAME, the service that answers; http://HOST:PORT/PATH, a remote one; queue:NAME or "
                  "topic:NAME, where messages are sent to; default: the service of the endpoint's own name."),
            field("http", &EndpointConfig::http,
                  "Path or paths under which it is called; default: the one its plugin names. []: none."),
            field("queue", &EndpointConfig::queue,
                  "Queue that it takes SOAP messages from; their answers go to the queues that they name."),
            field("topic", &EndpointConfig::topic,
                  "Topic that it takes SOAP messages from, by a subscription of its own."),
            field("backend", &EndpointConfig::backend, "How a remote service is called."),
            field("send", &EndpointConfig::send, "How messages are sent to a queue or a topic."),
            field("out", &EndpointConfig::out,
                  "Where the messages go that its service sends on its own account, by their names."),
            field("soap", &EndpointConfig::soap, "SOAP versions that are answered and advertised."),
            field("dispatch", &EndpointConfig::dispatch,
                  "Where its operations run: declared, as each says of itself; pooled, all of them on workers, the "
                  "caller being told 503 when none is free; inline, all of them on the loop that read the request, "
                  "where one that waits blocks every caller of that loop."),
            field("interceptors", &EndpointConfig::interceptors,
                  "What its messages pass on their way in, in this order, and their answers on the way back."),
            field("limits", &EndpointConfig::limits, "Limits of this endpoint alone."),
        };
    }
};

struct AdminLimits {
    ByteSize body = 64_MiB;

    static constexpr auto fields() {
        return std::tuple{
            field("body", &AdminLimits::body,
                  "Bytes of the body of a message that is sent over it (413); the queue has its own limit, "
                  "max-message-size. A change needs a restart."),
        };
    }
    friend bool operator==(const AdminLimits&, const AdminLimits&) = default;
};

struct AdminConfig {
    std::string listen = "127.0.0.1:8182";
    std::string socket = "admin.sock";
    AdminLimits limits;

    static constexpr auto fields() {
        return std::tuple{
            field("listen", &AdminConfig::listen,
                  "HOST:PORT of the admin interface; off for none. All but health needs the token. "
                  "A change needs a restart."),
            field("socket", &AdminConfig::socket,
                  "Unix socket of the admin interface, mode 0660; relative to $RUNTIME_DIRECTORY, else to the state "
                  "folder; off for none. A change needs a restart."),
            field("limits", &AdminConfig::limits, "Limits of the admin interface."),
        };
    }
    void validate(const config::Site& site);

    static constexpr std::string_view off = "off";
};

struct AccessLogConfig {
    bool enabled = true;
    std::string file = "stderr";

    static constexpr std::string_view shorthand = "enabled";
    static constexpr auto fields() {
        return std::tuple{
            field("enabled", &AccessLogConfig::enabled, "One line for each answer; on or off."),
            field("file", &AccessLogConfig::file,
                  "stderr, or a file that lines are appended to; relative to the state folder, opened anew by a "
                  "reload."),
        };
    }
    void validate(const config::Site& site);
};

struct LoggingConfig {
    log::Format format = log::Format::Text;
    log::Level level = log::Level::Info;
    AccessLogConfig access;

    static constexpr auto fields() {
        return std::tuple{
            field("format", &LoggingConfig::format, "Form of the lines, the access log's too."),
            field("level", &LoggingConfig::level, "The least level that is written."),
            field("access", &LoggingConfig::access, "The access log."),
        };
    }
};

struct WorkersConfig {
    std::uint32_t threads = 32;
    std::uint32_t queue = 1'024;

    static constexpr auto fields() {
        return std::tuple{
            field("threads", &WorkersConfig::threads,
                  "Threads for operations that may block; started when needed. A change needs a restart."),
            field("queue", &WorkersConfig::queue,
                  "Calls that may wait for one of them; further ones are answered 503. A change needs a restart."),
        };
    }
    void validate(const config::Site& site);
};

struct WatchdogConfig {
    milliseconds limit{200};

    static constexpr std::string_view shorthand = "limit";
    static constexpr auto fields() {
        return std::tuple{field("limit", &WatchdogConfig::limit,
                                "A handler that is on a loop for so long is named in the log. 0s: none is.")};
    }
};

struct ShutdownConfig {
    milliseconds drain{30'000};

    static constexpr auto fields() {
        return std::tuple{field("drain", &ShutdownConfig::drain,
                                "How long open exchanges may take to end after SIGTERM; then they get a fault.")};
    }
};

struct DaemonConfig {
    TransportsConfig transports;
    PluginsConfig plugins;
    std::map<std::string, EndpointConfig> endpoints;
    std::map<std::string, queues::QueueSettings> queues;
    QueueStoreConfig queue;
    AdminConfig admin;
    LoggingConfig logging;
    WorkersConfig workers;
    WatchdogConfig watchdog;
    ShutdownConfig shutdown;

    static constexpr auto fields() {
        return std::tuple{
            field("transports", &DaemonConfig::transports, "How callers reach the bus."),
            field("plugins", &DaemonConfig::plugins, "Where services come from."),
            field("endpoints", &DaemonConfig::endpoints,
                  "Endpoints by name. Optional: a plugin names its own defaults; what is written here wins."),
            field("queues", &DaemonConfig::queues,
                  "Settings of queues by name. Optional: a queue comes to be by its first use. They lie in queues/ in "
                  "the state folder."),
            field("queue", &DaemonConfig::queue, "The store of all queues."),
            field("admin", &DaemonConfig::admin, "The interface of the postbus command."),
            field("logging", &DaemonConfig::logging, "Events and the access log."),
            field("workers", &DaemonConfig::workers, "Threads for operations that may block."),
            field("watchdog", &DaemonConfig::watchdog, "Looks for handlers that block a loop."),
            field("shutdown", &DaemonConfig::shutdown, "The end of the daemon."),
        };
    }
    /// Checks what several sections say together, and fills in what an endpoint leaves out.
    void validate(const config::Site& site);
};

}  // namespace postbus::server
