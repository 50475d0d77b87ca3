#include "server/daemon/place_of_listener.hpp"

#include <initializer_list>
#include <string_view>

#include "config/document.hpp"
#include "config/problems.hpp"

namespace postbus::server {
namespace {

/// The address of an entry of `listen`: a text, or a mapping with `address`.
const config::Node* addressOf(const config::Node& entry) {
    return entry.kind == config::Node::Kind::Map ? entry.find("address") : &entry;
}

const config::Node* find(const config::Node& list, const std::string& trouble) {
    if (list.kind != config::Node::Kind::List) return &list;
    for (const config::Node* each : list.items)
        if (const config::Node* address = addressOf(*each);
            address && !address->text.empty() && trouble.find(address->text) != std::string::npos)
            return address;
    return &list;
}

}  // namespace

std::string placeOfListener(const Options& options, const std::string& trouble) {
    std::string file = options.config.empty() ? "built-in defaults" : options.config;
    try {
        auto document = options.config.empty() ? config::Document::parse({}, file) : config::Document::load(file);
        for (const std::string& each : options.set) document.set(each);
        const config::Node* node = &document.root();
        for (const std::string_view key : {"transports", "http", "listen"}) {
            node = node->find(key);
            if (!node) return file;
        }
        return find(*node, trouble)->place.text();
    } catch (const config::ConfigError&) {
        return file;  // it has changed since
    }
}

}  // namespace postbus::server
