#include "plugins/tables/check.hpp"

#include <set>

namespace postbus::tables {
namespace {

constexpr std::uint32_t maxServices = 256;

bool validName(std::string_view name) {
    if (name.empty() || name.size() > 128 || name == "." || name == "..") return false;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && c != '_' && c != '.' && c != '-') return false;
    }
    return true;
}

bool printable(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
    return true;
}

std::string quoted(std::string_view text) {
    std::string shown = "\"";
    for (const char c : text.substr(0, 80)) shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return shown += '"';
}

bool validPath(std::string_view path) {
    if (path.empty() || path[0] != '/' || path.size() > 1024) return false;
    for (const char c : path)
        if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '?' || c == '#' || c == '%') return false;
    for (std::size_t begin = 1; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view segment = path.substr(begin, end - begin);
        if (segment == "." || segment == ".." || (segment.empty() && end < path.size())) return false;
        begin = end + 1;
    }
    return true;
}

std::string checkService(const postbus_service& service) {
    if (service.size < sizeof(postbus_service))
        return "a service table is " + std::to_string(service.size) + " bytes, " +
               std::to_string(sizeof(postbus_service)) + " are needed";
    const std::string_view name = view(service.name);
    if (!validName(name)) return "the service name " + quoted(name) + " is not of the form [A-Za-z0-9_.-]+";
    const std::string who = "service " + std::string(name);
    if (!service.create || !service.start || !service.handle || !service.stop || !service.destroy)
        return who + " lacks one of the functions create, start, handle, stop, destroy";
    if (!validPath(pathOf(service)))
        return who + " has the path " + quoted(view(service.path)) +
               ": it must begin with '/' and hold no blank, '?', '#', '%', empty, '.' or '..' segment";
    if (!printable(view(service.ns)) || view(service.ns).size() > 4096)
        return who + " has control characters in its namespace, or one of over 4096 bytes";
    if (!printable(view(service.version)) || !printable(view(service.implementation)))
        return who + " has control characters in its version or implementation name";
    if (service.implementation.data && !validName(view(service.implementation)))
        return who + " has the implementation name " + quoted(view(service.implementation)) +
               ", which is not of the form [A-Za-z0-9_.-]+";
    return {};
}

}  // namespace

std::string pathOf(const postbus_service& service) {
    if (service.path.data && service.path.size) return std::string(view(service.path));
    return "/cxf/" + std::string(view(service.name));
}

std::string check(const postbus_plugin* plugin) {
    if (!plugin) return "its entry returned no table";
    if (plugin->size < sizeof(postbus_plugin))
        return "its table is " + std::to_string(plugin->size) + " bytes, " + std::to_string(sizeof(postbus_plugin)) +
               " are needed";
    if (plugin->abi_major != POSTBUS_ABI_MAJOR)
        return "it speaks version " + std::to_string(plugin->abi_major) +
               " of the plugin interface, this bus version " + std::to_string(POSTBUS_ABI_MAJOR) +
               ": build it with this bus's SDK";
    if (!validName(view(plugin->name)))
        return "the plugin name " + quoted(view(plugin->name)) + " is not of the form [A-Za-z0-9_.-]+";
    if (plugin->version.size == 0 || plugin->version.size > 128 || !printable(view(plugin->version)))
        return "its version is empty, too long or holds control characters";
    if (plugin->service_count == 0 || !plugin->services) return "it brings no service";
    if (plugin->service_count > maxServices)
        return "it claims " + std::to_string(plugin->service_count) + " services; at most " +
               std::to_string(maxServices) + " are taken";

    std::set<std::string, std::less<>> names, paths;
    for (std::uint32_t i = 0; i < plugin->service_count; ++i) {
        const postbus_service* service = plugin->services[i];
        if (!service) return "service " + std::to_string(i) + " has no table";
        if (std::string problem = checkService(*service); !problem.empty()) return problem;
        if (!names.emplace(view(service->name)).second)
            return "two of its services are named " + std::string(view(service->name));
        if (!paths.insert(pathOf(*service)).second) return "two of its services want the path " + pathOf(*service);
    }
    return {};
}

}  // namespace postbus::tables
