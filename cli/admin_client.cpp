#include "cli/admin_client.hpp"

#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/SocketAddress.h>
#include <Poco/Net/StreamSocket.h>
#include <Poco/StreamCopier.h>
#include <Poco/URI.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

namespace postbus::cli {
namespace {

const Poco::Timespan connectTime(5, 0);
/// A reload may wait for one under way, and for slow disks.
const Poco::Timespan answerTime(70, 0);

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// Folders that may hold what a daemon leaves for its clients, likeliest first.
std::vector<std::string> folders(std::initializer_list<const char*> variables, const char* system) {
    std::vector<std::string> all;
    for (const char* each : variables) {
        const std::string value = variable(each);
        if (!value.empty()) all.push_back(value.substr(0, value.find(':')));
    }
    all.insert(all.end(), {"postbus-state", system});
    return all;
}

std::string token() {
    if (std::string given = variable("POSTBUS_TOKEN"); !given.empty()) return given;
    for (const std::string& each : folders({"STATE_DIRECTORY"}, "/var/lib/postbus")) {
        std::ifstream file(each + "/admin.token");
        std::string line;
        if (file && std::getline(file, line) && !line.empty()) return line;
    }
    return {};
}

Poco::Net::StreamSocket connectTo(const Poco::Net::SocketAddress& address) {
    Poco::Net::StreamSocket socket;
    socket.connect(address, connectTime);
    socket.setReceiveTimeout(answerTime);
    return socket;
}

}  // namespace

struct AdminClient::Connection {
    Connection(const std::string& place, const Poco::Net::StreamSocket& socket, std::string hostName,
               std::string secret)
        : where(place), session(socket), host(std::move(hostName)), bearer(std::move(secret)) {
        session.setTimeout(answerTime);
    }

    std::string where;
    Poco::Net::HTTPClientSession session;
    std::string host, bearer;
};

AdminClient::AdminClient(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
AdminClient::AdminClient(AdminClient&&) noexcept = default;
AdminClient::~AdminClient() = default;

namespace {

/// Why a place did not work out; empty when it did.
template <class Connect>
std::string tried(const std::string& where, Connect&& connect) {
    try {
        connect();
        return {};
    } catch (const Poco::Exception& error) {
        return where + " (" + (error.code() > 0 ? std::strerror(error.code()) : error.displayText()) + ')';
    }
}

}  // namespace

AdminClient AdminClient::connect(const std::string& where) {
    std::unique_ptr<Connection> connection;
    const auto over = [&](const std::string& place) {
        return tried(place, [&] {
            if (place.rfind("unix:", 0) == 0) {
                const Poco::Net::SocketAddress address(Poco::Net::SocketAddress::UNIX_LOCAL, place.substr(5));
                connection = std::make_unique<Connection>(place, connectTo(address), "localhost", "");
                return;
            }
            const Poco::URI uri(place.find("://") == std::string::npos ? "http://" + place : place);
            if (uri.getScheme() != "http" || uri.getHost().empty())
                throw Poco::SyntaxException("neither http://HOST:PORT nor unix:PATH");
            const Poco::Net::SocketAddress address(uri.getHost(), uri.getPort());
            connection = std::make_unique<Connection>(place, connectTo(address), uri.getAuthority(), token());
        });
    };

    const std::string given = where.empty() ? variable("POSTBUS_ADMIN") : where;
    std::vector<std::string> places;
    if (!given.empty()) {
        places.push_back(given);
    } else {
        for (const std::string& each : folders({"RUNTIME_DIRECTORY", "STATE_DIRECTORY"}, "/run/postbus"))
            places.push_back("unix:" + each + "/admin.sock");
        places.emplace_back("http://127.0.0.1:8182");
    }
    std::string troubles;
    for (const std::string& each : places) {
        const std::string trouble = over(each);
        if (trouble.empty()) return AdminClient(std::move(connection));
        (troubles += troubles.empty() ? "" : ", ") += trouble;
    }
    if (!given.empty()) throw Unreachable("no daemon answers at " + troubles + "; is postbusd running there?");
    throw Unreachable("no daemon answers; looked at " + troubles +
                      "\n  start one with postbusd, or name its state folder: --admin unix:FOLDER/admin.sock, or "
                      "STATE_DIRECTORY=FOLDER postbus ...");
}

template <class Take>
AdminClient::Answer AdminClient::exchange(const std::string& method, const std::string& path, const Body& body,
                                          Take&& take) {
    try {
        Poco::Net::HTTPRequest request(method, path, Poco::Net::HTTPMessage::HTTP_1_1);
        request.setHost(connection_->host);
        request.set("Accept", "application/json");
        if (!connection_->bearer.empty()) request.set("Authorization", "Bearer " + connection_->bearer);
        if (method == "POST") request.setContentLength64(static_cast<Poco::Int64>(body.bytes.size()));
        if (!body.contentType.empty()) request.setContentType(body.contentType);
        std::ostream& stream = connection_->session.sendRequest(request);
        stream.write(body.bytes.data(), static_cast<std::streamsize>(body.bytes.size()));
        Poco::Net::HTTPResponse response;
        std::istream& from = connection_->session.receiveResponse(response);
        Answer answer;
        answer.status = response.getStatus();
        const auto size = take(answer, from);
        // Poco takes the end of the connection for that of the body.
        const auto length = response.getContentLength64();
        if (length != Poco::Net::HTTPMessage::UNKNOWN_CONTENT_LENGTH && size != length)
            throw Poco::Net::NetException("the answer was cut before its end");
        return answer;
    } catch (const Poco::Exception& error) {
        throw Unreachable(connection_->where + ": " + error.displayText());
    }
}

AdminClient::Answer AdminClient::ask(const std::string& method, const std::string& path, const Body& body) {
    return exchange(method, path, body, [](Answer& answer, std::istream& from) {
        return static_cast<Poco::Int64>(Poco::StreamCopier::copyToString64(from, answer.body));
    });
}

AdminClient::Answer AdminClient::fetch(const std::string& method, const std::string& path, const Sink& sink) {
    return exchange(method, path, {"", ""}, [&](Answer& answer, std::istream& from) {
        if (answer.status != 200)
            return static_cast<Poco::Int64>(Poco::StreamCopier::copyToString64(from, answer.body));
        std::vector<char> piece(64 * 1024);
        Poco::Int64 all = 0;
        while (from.read(piece.data(), static_cast<std::streamsize>(piece.size())), from.gcount() > 0) {
            const auto size = static_cast<std::size_t>(from.gcount());
            if (!sink({piece.data(), size})) throw Poco::WriteFileException("the body could not be written");
            all += static_cast<Poco::Int64>(size);
        }
        return all;
    });
}

}  // namespace postbus::cli
