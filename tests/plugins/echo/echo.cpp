// Answers with the message it was sent, whatever that is.
#include <postbus/plugin.hpp>

struct Echo : postbus::Service {
    void start() override {
        any(postbus::nonblocking, [](postbus::Call call) {
            if (call.content())
                call.copyContent(call.content());
            else if (call.payload())
                call.copy(call.payload());
            else
                call.setBytes(call.bytes());
            call.reply();
        });
    }
};
POSTBUS_SERVICE(Echo, .name = "Echo", .ns = "urn:postbus:test:echo", .version = "1.0.0", .path = "/test/echo")
