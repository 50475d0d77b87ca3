#include "bindings/soap/version_shape.hpp"

#include <algorithm>

namespace postbus::soap {
namespace {

bool holds(const std::vector<Version>& versions, Version version) {
    return std::find(versions.begin(), versions.end(), version) != versions.end();
}

}  // namespace

Versions versionsOf(const SoapConfig& config) {
    Versions its;
    const bool any = !config.versions.empty();
    its.soap11 = !any || holds(config.versions, Version::Soap11);
    its.soap12 = !any || holds(config.versions, Version::Soap12);
    its.advertise11 = its.soap11 && holds(config.advertise, Version::Soap11);
    its.advertise12 = its.soap12 && holds(config.advertise, Version::Soap12);
    if (!its.advertise11 && !its.advertise12) {
        its.advertise11 = its.soap11;
        its.advertise12 = !its.soap11;
    }
    return its;
}

}  // namespace postbus::soap
