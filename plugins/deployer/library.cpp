#include "plugins/deployer/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <utility>

#include "plugins/deployer/thread_locals.hpp"
#include "plugins/tables/check.hpp"

namespace postbus::deployer {

Result<Library> Library::open(std::string path) {
    keepThreadLocals(path);
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char* reason = dlerror();
        destroyThreadLocals(path);
        return Error::invalid(std::string("can't be loaded: ") + (reason ? reason : "no reason given"));
    }
    Library library(std::move(path), handle);
    const auto entry = reinterpret_cast<postbus_plugin_entry>(dlsym(handle, POSTBUS_ENTRY_SYMBOL));
    if (!entry) return Error::invalid("does not export " POSTBUS_ENTRY_SYMBOL);
    library.plugin_ = entry();
    if (std::string problem = tables::check(library.plugin_); !problem.empty())
        return Error::invalid("has tables that can't be used: " + problem);
    return library;
}

Library::Library(Library&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)), plugin_(other.plugin_) {}

bool Library::close() {
    if (!handle_) return true;
    destroyThreadLocals(path_);
    dlclose(std::exchange(handle_, nullptr));
    plugin_ = nullptr;
    return !isMapped(path_);
}

bool isMapped(const std::string& path) {
    struct Search {
        const std::string& path;
        bool found;
    } search{path, false};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& its = *static_cast<Search*>(data);
            if (info->dlpi_name && its.path == info->dlpi_name) its.found = true;
            return its.found ? 1 : 0;
        },
        &search);
    return search.found;
}

}  // namespace postbus::deployer
