/// From a Service class to the C tables. No exception passes from here to the bus.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "abi.h"
#include "service.hpp"
#include "type_name.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

/// What a service says about itself. What is not given follows JAX-WS 2.2 section 3, with the C++ class and namespace
/// for the Java ones.
struct ServiceInfo {
    std::string_view name{};            ///< of the endpoint and portType; not given: the class's name
    std::string_view ns{};              ///< target namespace; not given: http://inner.outer/ for outer::inner
    std::string_view version{};         ///< not given: the plugin's, else 1.0.0
    std::string_view path{};            ///< default HTTP path; not given: /cxf/NAME
    std::string_view implementation{};  ///< names the WSDL's service and port; not given: the class's name
    std::string_view doc{};
};

namespace sdk {

class ServiceAccess {
public:
    static void attach(Service& service, const postbus_host* host, postbus_service_context* context,
                       std::string_view name, std::string_view ns) {
        service.host_ = host;
        service.context_ = context;
        service.invoke_ = static_cast<const postbus_invoke*>(host->extension(context, borrow(POSTBUS_INVOKE)));
        service.name_ = name;
        service.ns_ = ns;
    }

    static int start(Service& service) {
        try {
            service.defining_ = true;
            service.start();
            service.defining_ = false;
            if (!service.operations_.empty()) return 0;
            service.log(LogLevel::Error, "start() defined no operation");
        } catch (...) {
            report(service, "start() failed");
        }
        service.defining_ = false;
        return 1;
    }

    static void stop(Service& service) {
        try {
            service.stop();
        } catch (...) {
            report(service, "stop() failed");
        }
    }

    static int health(Service& service) {
        try {
            return service.health() ? 0 : 1;
        } catch (...) {
            report(service, "health() failed");
            return 1;
        }
    }

    static void handle(const Service& service, postbus_call* call) {
        if (call->operation < service.operations_.size()) return service.operations_[call->operation]->run(call);
        const CallHome home{service.host_, service.name_, service.ns_, {}};
        fail(home, call, POSTBUS_FAULT_RECEIVER, "the service knows no operation of that number");
    }

    /// Logs what is being thrown. Within a catch clause only; gives up quietly when even that is impossible.
    static void report(const Service& service, std::string_view what) { report(service.host_, service.context_, what); }
    static void report(const postbus_host* host, postbus_service_context* context, std::string_view what) {
        std::string reason = "it threw something that is no std::exception";
        try {
            throw;
        } catch (const Fault& fault) {
            reason = fault.reason;
        } catch (const std::exception& error) {
            reason = error.what();
        } catch (...) {
        }
        const std::string text = std::string(what) + ": " + reason;
        host->log(context, POSTBUS_LOG_ERROR, borrow(text));
    }
};

template <class T>
concept KnowsItsInfo = requires {
    { T::info } -> std::convertible_to<ServiceInfo>;
};

template <class T>
constexpr ServiceInfo ownInfo() {
    if constexpr (KnowsItsInfo<T>)
        return T::info;
    else
        return {};
}
template <class T>
inline constexpr ServiceInfo infoOf = ownInfo<T>();

template <class T>
inline constexpr FixedText namespaceOf = defaultNamespace(spelledName<T>());

constexpr bool isServiceName(std::string_view name) {
    for (const char c : name)
        if (!isWordCharacter(c) && c != '.' && c != '-') return false;
    return isNcName(name);
}
constexpr bool isPluginName(std::string_view name) {
    for (const char c : name)
        if (!isDigit(c) && (c < 'a' || c > 'z') && c != '-') return false;
    return !name.empty();
}

/// The table of one service and the functions in it.
template <class T, const ServiceInfo& Info, const std::string_view& Version>
struct ServiceGlue {
    static_assert(std::derived_from<T, Service>, "a service derives from postbus::Service");

    static constexpr std::string_view orElse(std::string_view given, std::string_view other) {
        return given.empty() ? other : given;
    }
    static constexpr std::string_view name = orElse(Info.name, cleanedName<T>.view());
    static constexpr std::string_view ns = orElse(Info.ns, namespaceOf<T>.view());
    static_assert(isServiceName(name), "a service's name is made of letters, digits, '_', '.' and '-'");
    static_assert(Info.path.empty() || Info.path.front() == '/', "a path begins with '/'");

    static void* create(const postbus_host* host, postbus_service_context* context) {
        // All that version 1.0 has is needed; what came later has to be looked at before use.
        if (host->abi_major != POSTBUS_ABI_MAJOR || host->size < offsetof(postbus_host, extension) + sizeof(void*))
            return nullptr;
        try {
            std::unique_ptr<Service> service = std::make_unique<T>();
            ServiceAccess::attach(*service, host, context, name, ns);
            return service.release();
        } catch (...) {
            ServiceAccess::report(host, context, "the service could not be made");
            return nullptr;
        }
    }
    static Service& of(void* self) { return *static_cast<Service*>(self); }
    static int start(void* self) { return ServiceAccess::start(of(self)); }
    static void handle(void* self, postbus_call* call) { ServiceAccess::handle(of(self), call); }
    static void stop(void* self) { ServiceAccess::stop(of(self)); }
    static void destroy(void* self) { delete &of(self); }
    static int health(void* self) { return ServiceAccess::health(of(self)); }

    static constexpr postbus_str given(std::string_view text) { return text.empty() ? postbus_str{} : borrow(text); }
    static constexpr postbus_service table{sizeof(postbus_service),
                                           borrow(name),
                                           borrow(ns),
                                           borrow(orElse(Info.version, Version)),
                                           given(Info.path),
                                           borrow(orElse(Info.implementation, cleanedName<T>.view())),
                                           given(Info.doc),
                                           &create,
                                           &start,
                                           &handle,
                                           &stop,
                                           &destroy,
                                           &health};
};

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
