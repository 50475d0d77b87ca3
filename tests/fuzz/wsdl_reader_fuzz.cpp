// Documents to a description, and on to what `postbus call` asks of it: whatever comes in, all of it ends, within its
// limits, and what a description gives can be walked. The input is one or more documents, each behind a line
// "==== NAME"; the first is the WSDL, the others are found by their name.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include "cli/call/content_writer.hpp"
#include "cli/call/envelope.hpp"
#include "cli/call/example.hpp"
#include "cli/call/given.hpp"
#include "cli/call/parameters.hpp"
#include "formats/wsdl/reader/load.hpp"

using namespace postbus;

namespace {

std::map<std::string, std::string> documents(std::string_view input, std::string& first) {
    constexpr std::string_view mark = "==== ";
    std::map<std::string, std::string> all;
    std::string name = "first";
    first = name;
    while (!input.empty()) {
        const std::string_view line = input.substr(0, std::min(input.find('\n'), input.size() - 1) + 1);
        input.remove_prefix(line.size());
        if (!line.starts_with(mark)) {
            all[name] += line;
            continue;
        }
        name = line.substr(mark.size(), line.size() - mark.size() - (line.ends_with('\n') ? 1 : 0));
        if (all.empty()) first = name;
        all[name];
    }
    return all;
}

std::size_t walk(const xsd::Type& type, int depth) {
    std::size_t count = 1;
    for (const xsd::AttributeDeclaration& each : type.attributes)
        if (!each.type) std::abort();
    for (const xsd::Child& each : xsd::childrenOf(type)) {
        if (!each.element || !each.element->type) std::abort();
        if (depth < 3) count += walk(*each.element->type, depth + 1);
        if (count > 1'000) break;
    }
    return count;
}

/// The request that is made of nothing, its keys and its example, which has to be XML.
void ask(xsd::SchemaSet& schemas, const xsd::ElementDeclaration& element) {
    if (!element.type->problem.empty()) return;
    cli::parametersOf(schemas, {&element});
    cli::GivenTree tree(schemas, {&element}, "ask");
    if (tree.set({}))
        if (const auto payload = cli::writePayload(tree.root()); payload && !cli::readGivenXml(*payload)) std::abort();
    const std::string example = cli::exampleOf(schemas, element);
    const bool comment = example.starts_with("<!--");  // there was nothing to be shown
    if (!comment && !cli::readGivenXml(example)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string first;
    const auto all = documents({reinterpret_cast<const char*>(data), size}, first);
    wsdl::LoadLimits limits;
    limits.documents = 20;
    limits.oneDocument = limits.bytes = 1 << 20;
    auto loaded = wsdl::load(
        first,
        [&](const std::string& from) -> Result<std::string> {
            const auto at = all.find(from);
            if (at == all.end()) return Error(Error::Kind::NotFound, "not there");
            return at->second;
        },
        limits);
    if (!loaded) {
        if (loaded.error().message().empty()) std::abort();
        return 0;
    }
    for (const wsdl::Port& port : loaded->ports)
        for (const wsdl::PortOperation& operation : port.operations)
            for (const auto* parts : {&operation.in, &operation.out})
                for (const wsdl::Part& part : *parts)
                    if (const auto element = loaded->schemas.element(part.element)) {
                        if (!(*element)->type) std::abort();
                        walk(*(*element)->type, 0);
                        loaded->schemas.derivedNames(*(*element)->type);
                        ask(loaded->schemas, **element);
                    }
    return 0;
}
