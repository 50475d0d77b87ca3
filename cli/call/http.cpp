#include "cli/call/http.hpp"

#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/SocketAddress.h>
#include <Poco/Net/StreamSocket.h>
#include <Poco/String.h>
#include <Poco/URI.h>

#include <array>

#include "cli/call/deadline.hpp"
#include "formats/mime/media_type.hpp"

namespace postbus::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t mostBytes = 64u << 20;

double since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Poco::Timespan spanOf(std::chrono::milliseconds time) {
    return {static_cast<Poco::Timespan::TimeDiff>(std::chrono::microseconds(time).count())};
}

/// The steps of one exchange; errors are Poco's exceptions, which do not leave this file.
class Exchange {
public:
    Exchange(const HttpRequest& request, std::chrono::milliseconds timeout) : request_(request), timeout_(timeout) {}

    Result<HttpAnswer> run() {
        try {
            const Poco::URI uri(request_.url);
            if (uri.getScheme() == "https")
                return Error::invalid(request_.url + ": https is not supported yet; a proxy that ends TLS helps");
            if (uri.getScheme() != "http" || uri.getHost().empty())
                return Error::invalid(request_.url + " is no http://HOST:PORT/PATH");
            if (auto connected = connect(uri); !connected) return std::move(connected).error();
            return talk(uri);
        } catch (const Poco::SyntaxException& error) {
            return Error::invalid(request_.url + ": " + error.displayText());
        }
    }

private:
    Result<void> connect(const Poco::URI& uri) {
        const std::string where = uri.getHost() + ':' + std::to_string(uri.getPort());
        try {
            socket_.connect(Poco::Net::SocketAddress(uri.getHost(), uri.getPort()), spanOf(timeout_));
            socket_.setNoDelay(true);
        } catch (const Poco::TimeoutException&) {
            return Error(Error::Kind::Unavailable, where + " does not take the connection within the time");
        } catch (const Poco::Exception& error) {
            return Error(Error::Kind::Unavailable, where + " is not reached: " + error.displayText());
        }
        answer_.connectMs = since(start_);
        return ok();
    }

    Result<HttpAnswer> talk(const Poco::URI& uri) {
        // Shuts the socket when the time is over: what reads or writes then is told that the connection has ended.
        const Deadline deadline(start_ + timeout_, [this] { shut(); });
        try {
            Poco::Net::HTTPClientSession session(socket_);
            session.setTimeout(spanOf(timeout_ + std::chrono::seconds(1)));
            send(session, uri);
            Poco::Net::HTTPResponse response;
            std::istream& body = session.receiveResponse(response);
            answer_.firstByteMs = since(start_);
            answer_.status = response.getStatus();
            answer_.reason = response.getReason();
            for (const auto& [name, value] : response) answer_.headers.emplace_back(name, value);
            if (auto read = receive(body); !read) return std::move(read).error();
            const bool cut = response.getContentLength64() != Poco::Net::HTTPMessage::UNKNOWN_CONTENT_LENGTH &&
                             static_cast<std::size_t>(response.getContentLength64()) != answer_.body.size();
            if (cut && !deadline.passed())
                return Error::internal(
                    "the answer ended before it was complete: " + std::to_string(answer_.body.size()) + " of " +
                    std::to_string(response.getContentLength64()) + " bytes");
        } catch (const Poco::Exception& error) {
            if (!deadline.passed()) return Error::internal("the exchange failed: " + error.displayText());
        }
        if (deadline.passed())
            return Error(Error::Kind::Timeout, "no complete answer within " + std::to_string(timeout_.count()) + " ms");
        answer_.totalMs = since(start_);
        return std::move(answer_);
    }

    void send(Poco::Net::HTTPClientSession& session, const Poco::URI& uri) {
        std::string path = uri.getPathAndQuery();
        if (path.empty()) path = "/";
        Poco::Net::HTTPRequest head(request_.method, path, Poco::Net::HTTPMessage::HTTP_1_1);
        head.set("Host", uri.getAuthority().substr(uri.getAuthority().find('@') + 1));
        head.set("Connection", "close");
        for (const auto& [name, value] : request_.headers) head.set(name, value);
        const bool post = request_.method == "POST";
        if (post) head.setContentLength64(static_cast<Poco::Int64>(request_.body.size()));
        std::ostream& stream = session.sendRequest(head);
        stream.write(request_.body.data(), static_cast<std::streamsize>(request_.body.size()));
        stream.flush();
        answer_.sentBytes = request_.body.size();
    }

    Result<void> receive(std::istream& body) {
        std::array<char, 65'536> chunk;
        while (body) {
            body.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
            answer_.body.append(chunk.data(), static_cast<std::size_t>(body.gcount()));
            if (answer_.body.size() > mostBytes)
                return Error(Error::Kind::TooLarge, "the answer is larger than 64 MiB");
        }
        return ok();
    }

    void shut() {
        try {
            socket_.shutdown();
        } catch (const Poco::Exception&) {
            // The other side has ended it already, which is as good.
        }
    }

    const HttpRequest& request_;
    const std::chrono::milliseconds timeout_;
    const Clock::time_point start_ = Clock::now();
    Poco::Net::StreamSocket socket_;
    HttpAnswer answer_;
};

}  // namespace

std::string HttpAnswer::header(const std::string& name) const {
    for (const auto& [key, value] : headers)
        if (mime::sameIgnoringCase(key, name)) return value;
    return {};
}

Result<HttpAnswer> httpExchange(const HttpRequest& request, std::chrono::milliseconds timeout) {
    return Exchange(request, timeout).run();
}

std::string originOf(const std::string& url) {
    try {
        const Poco::URI uri(url);
        if (uri.getHost().empty()) return {};
        return Poco::toLower(uri.getScheme() + "://" + uri.getHost()) + ':' + std::to_string(uri.getPort());
    } catch (const Poco::Exception&) {
        return {};
    }
}

}  // namespace postbus::cli
