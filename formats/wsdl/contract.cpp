#include "formats/wsdl/contract.hpp"

namespace postbus::wsdl {

const Operation* Contract::find(std::string_view uri, std::string_view local) const {
    const Operation* any = nullptr;
    for (const Operation& each : operations) {
        if (each.any)
            any = &each;
        else if (each.inElement == local && ns == uri)
            return &each;
    }
    return any;
}

}  // namespace postbus::wsdl
