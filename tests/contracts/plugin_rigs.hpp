/// The plugins that keep the plugin contract. A new one joins by a rig: where it lies, and messages that it answers
/// without a fault, for the contract to call it with.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace postbus::test {

/// The folder of this build's tests/plugins.
inline const std::string testPlugins = POSTBUS_TEST_PLUGINS;

struct PluginRig {
    /// Operations that hand the bus what it has to put up with: there, a fault's detail need not be XML.
    static bool misbehaves(std::string_view) { return false; }
};

struct HelloRig : PluginRig {
    static std::string file() { return POSTBUS_BUNDLED_PLUGINS "/hello.so"; }
    static std::vector<std::string> messages() {
        return {"<h:sayHi xmlns:h='http://cxf.examples.servicemix.apache.org/'><arg0>Zoe</arg0></h:sayHi>",
                "<h:sayHi xmlns:h='http://cxf.examples.servicemix.apache.org/'/>"};
    }
};

struct EchoRig : PluginRig {
    static std::string file() { return testPlugins + "/echo.so"; }
    static std::vector<std::string> messages() {
        return {"<any xmlns='urn:a'>thing</any>", "bytes that are no XML",
                "<e:Envelope xmlns:e='urn:e'><e:Body><x/></e:Body></e:Envelope>"};
    }
};

struct TypesRig : PluginRig {
    static bool misbehaves(std::string_view operation) { return operation == "failBadDetail"; }
    static std::string file() { return testPlugins + "/types.so"; }
    static std::vector<std::string> messages() {
        return {"<t:options xmlns:t='urn:postbus:test:types'><value><int>7</int></value></t:options>",
                "<t:note xmlns:t='urn:postbus:test:types'/>",
                "<t:later xmlns:t='urn:postbus:test:types'><value>x</value></t:later>",
                "<t:sleep xmlns:t='urn:postbus:test:types'><milliseconds>1</milliseconds></t:sleep>",
                "<t:nothing xmlns:t='urn:postbus:test:types'/>"};
    }
};

struct ContractFirstRig : PluginRig {
    static std::string file() { return testPlugins + "/first.so"; }
    static std::vector<std::string> messages() {
        return {"<ReserveRequest xmlns='urn:postbus:test:first'><article>a</article><count>3</count></ReserveRequest>"};
    }
};

struct ReplacementRig : PluginRig {
    static std::string file() { return testPlugins + "/hello_v2.so"; }
    static std::vector<std::string> messages() { return HelloRig::messages(); }
};

using PluginRigs = std::tuple<HelloRig, EchoRig, TypesRig, ContractFirstRig, ReplacementRig>;

}  // namespace postbus::test
