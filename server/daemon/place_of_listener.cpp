#include "server/daemon/place_of_listener.hpp"

#include <algorithm>
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

std::string placeOf(const Options& options, std::string_view path, const std::string& trouble) {
    std::string file = options.config.empty() ? "built-in defaults" : options.config;
    try {
        auto document = options.config.empty() ? config::Document::parse({}, file) : config::Document::load(file);
        for (const std::string& each : options.set) document.set(each);
        const config::Node* node = &document.root();
        while (!path.empty()) {
            const std::size_t end = std::min(path.find('.'), path.size());
            node = node->find(path.substr(0, end));
            if (!node) return file;
            path.remove_prefix(std::min(end + 1, path.size()));
        }
        return find(*node, trouble)->place.text();
    } catch (const config::ConfigError&) {
        return file;  // it has changed since
    }
}

}  // namespace

std::string placeOfListener(const Options& options, const std::string& trouble) {
    return placeOf(options, "transports.http.listen", trouble);
}

std::string unlistened(const Options& options, std::string_view key, const std::string& trouble) {
    const std::string name(key);
    const std::string instead = name == "admin.socket" ? "off" : "127.0.0.1:0";
    return placeOf(options, key, trouble) + ": " + name + ": " + trouble +
           (trouble.ends_with(" has it") ? "; end that, or change " : "; change ") + name +
           (options.config.empty() ? "" : " there") + ", or start with --set " + name + '=' + instead +
           (instead == "off" ? "" : " for a free port");
}

}  // namespace postbus::server
