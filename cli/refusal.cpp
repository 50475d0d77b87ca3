#include "cli/refusal.hpp"

#include <Poco/Exception.h>
#include <Poco/JSON/Parser.h>

#include "cli/streams.hpp"
#include "cli/table.hpp"

namespace postbus::cli {

Poco::JSON::Object::Ptr parsed(const std::string& body) {
    try {
        return Poco::JSON::Parser().parse(body).extract<Poco::JSON::Object::Ptr>();
    } catch (const Poco::Exception&) {
        return {};
    }
}

std::string refusal(const AdminClient::Answer& answer, const Poco::JSON::Object::Ptr& object) {
    std::string text = "postbus: ";
    if (object && object->has("error"))
        text += printable(object->getValue<std::string>("error"));
    else
        text += "the daemon answered with status " + std::to_string(answer.status);
    // Over TCP, from a folder that is not the daemon's: the token was looked for in the wrong place.
    if (object && answer.status == 401)
        text +=
            "\n  go where ./postbus-state is the daemon's, or name its state folder:"
            " --admin unix:FOLDER/admin.sock, or STATE_DIRECTORY=FOLDER postbus ...";
    return text += '\n';
}

bool tell(const Arguments& arguments, const AdminClient::Answer& answer, const Poco::JSON::Object::Ptr& object,
          std::string (*show)(const Poco::JSON::Object&)) {
    const bool done = answer.status == 200 && object;
    if (arguments.json)
        print(stdout, answer.body);
    else if (done)
        print(stdout, show(*object));
    else
        print(stderr, refusal(answer, object));
    return done;
}

}  // namespace postbus::cli
