#include "plugins/host/frames/description.hpp"

#include <map>
#include <string>

#include "plugins/host/frames/frame.hpp"
#include "plugins/host/frames/pack.hpp"

namespace postbus::host {
namespace {

/// Types refer to types, and whoever follows them needs room on its stack for each: the host chooses how many.
constexpr std::uint32_t mostTypes = 1'000;
constexpr std::uint32_t mostServices = 1'000, mostOperations = 10'000;
/// What is read takes several times the room of its bytes.
constexpr std::size_t largestDescription = std::size_t{4} << 20;
constexpr std::uint32_t noType = UINT32_MAX;
/// Of a text that is not given, which differs from an empty one.
constexpr std::uint8_t notGiven = 0, given = 1;
constexpr std::size_t smallestText = 1;

/// The types that operations refer to, each once, in the order in which they are met.
class TypesMet {
public:
    std::uint32_t indexOf(const postbus_type* type) {
        if (!type) return noType;
        const auto [place, isNew] = index_.emplace(type, static_cast<std::uint32_t>(all_.size()));
        if (isNew) all_.push_back(type);
        return place->second;
    }
    /// Grows while those in it are looked at.
    const std::vector<const postbus_type*>& all() const { return all_; }

private:
    std::map<const postbus_type*, std::uint32_t> index_;
    std::vector<const postbus_type*> all_;
};

const postbus_field& fieldOf(const postbus_type& type, std::uint32_t i) {
    const auto* at = reinterpret_cast<const char*>(type.fields) + std::size_t{i} * type.field_size;
    return *reinterpret_cast<const postbus_field*>(at);
}

void pack(Packer& packer, postbus_str text) {
    packer(text.data ? given : notGiven);
    if (text.data) packer(std::string_view(text.data, text.size));
}

void pack(Packer& packer, const postbus_operation& its, TypesMet& types) {
    packer(its.id);
    packer(its.flags);
    packer(its.mep);
    for (const postbus_str text : {its.name, its.in_element, its.out_element, its.soap_action, its.doc})
        pack(packer, text);
    packer(types.indexOf(its.in));
    packer(types.indexOf(its.out));
}

void pack(Packer& packer, const DescribedService& its, TypesMet& types) {
    for (const postbus_str text : {its.name, its.ns, its.version, its.path, its.implementation, its.doc})
        pack(packer, text);
    packer(static_cast<std::uint32_t>(its.operations.size()));
    for (const postbus_operation& each : its.operations) pack(packer, each, types);
}

void pack(Packer& packer, const postbus_type& its, TypesMet& types) {
    packer(its.kind);
    pack(packer, its.name);
    const std::uint32_t fields = its.kind == POSTBUS_KIND_STRUCT ? its.field_count : 0;
    const std::uint32_t values = its.kind == POSTBUS_KIND_ENUM ? its.value_count : 0;
    packer(fields);
    for (std::uint32_t i = 0; i < fields; ++i) {
        const postbus_field& field = fieldOf(its, i);
        pack(packer, field.name);
        pack(packer, field.doc);
        packer(field.kind);
        packer(field.flags);
        const bool refers = field.kind == POSTBUS_KIND_ENUM || field.kind == POSTBUS_KIND_STRUCT;
        packer(refers ? types.indexOf(field.type) : noType);
    }
    packer(values);
    for (std::uint32_t i = 0; i < values; ++i) pack(packer, its.values[i]);
}

/// Types are met in services, and in types; a reader needs them before the services.
Result<void> packTypes(Buffer& out, TypesMet& types) {
    Packer packer(out);
    for (std::size_t i = 0; i < types.all().size(); ++i) {
        if (i == mostTypes)
            return Error::invalid("has more than " + std::to_string(mostTypes) +
                                  " types, too many for a process of its own");
        pack(packer, *types.all()[i], types);
    }
    return ok();
}

}  // namespace

/// What a Description that was read points to.
struct Description::Memory {
    std::string body;
    std::vector<postbus_type> types;
    std::vector<std::vector<postbus_field>> fields;
    std::vector<std::vector<postbus_str>> values;
};

Result<void> Description::write(Buffer& out) const {
    TypesMet met;
    Buffer described, types;
    Packer packer(described);
    packer(static_cast<std::uint32_t>(services.size()));
    for (const DescribedService& each : services) pack(packer, each, met);
    if (auto packed = packTypes(types, met); !packed) return packed;

    FrameInMaking frame(out, FrameKind::Hello, 0);
    Packer whole(out);
    whole(std::uint32_t{POSTBUS_ABI_MAJOR});
    pack(whole, plugin);
    pack(whole, version);
    whole(static_cast<std::uint32_t>(met.all().size()));
    out.append(types.view());
    out.append(described.view());
    return frame.end();
}

namespace {

postbus_str text(Unpacker& unpacker) {
    std::uint8_t there = notGiven;
    unpacker(there);
    if (there == notGiven) return {nullptr, 0};
    if (there != given) unpacker.fail();
    std::string_view said;
    unpacker(said);
    return {said.data() ? said.data() : "", said.size()};
}

/// A reference to a type; those that lie ahead are good as well, since their number is known.
const postbus_type* type(Unpacker& unpacker, const std::vector<postbus_type>& all) {
    std::uint32_t index = noType;
    unpacker(index);
    if (index == noType) return nullptr;
    if (index < all.size()) return &all[index];
    unpacker.fail();
    return nullptr;
}

postbus_operation operation(Unpacker& unpacker, const std::vector<postbus_type>& types) {
    postbus_operation its{};
    its.size = sizeof its;
    unpacker(its.id);
    unpacker(its.flags);
    unpacker(its.mep);
    for (postbus_str* each : {&its.name, &its.in_element, &its.out_element, &its.soap_action, &its.doc})
        *each = text(unpacker);
    its.in = type(unpacker, types);
    its.out = type(unpacker, types);
    return its;
}

DescribedService service(Unpacker& unpacker, const std::vector<postbus_type>& types) {
    DescribedService its;
    for (postbus_str* each : {&its.name, &its.ns, &its.version, &its.path, &its.implementation, &its.doc})
        *each = text(unpacker);
    constexpr std::size_t smallestOperation = 5 * sizeof(std::uint32_t) + 5 * smallestText;
    const std::uint32_t count = unpacker.count(smallestOperation);
    if (count > mostOperations) unpacker.fail();
    for (std::uint32_t i = 0; i < count && unpacker.good(); ++i) its.operations.push_back(operation(unpacker, types));
    return its;
}

std::vector<postbus_field> fields(Unpacker& unpacker, const std::vector<postbus_type>& types) {
    constexpr std::size_t smallestField = 3 * sizeof(std::uint32_t) + 2 * smallestText;
    std::vector<postbus_field> all(unpacker.count(smallestField));
    for (postbus_field& each : all) {
        each.name = text(unpacker);
        each.doc = text(unpacker);
        unpacker(each.kind);
        unpacker(each.flags);
        each.type = type(unpacker, types);
    }
    return all;
}

std::vector<postbus_str> values(Unpacker& unpacker) {
    std::vector<postbus_str> all(unpacker.count(smallestText));
    for (postbus_str& each : all) each = text(unpacker);
    return all;
}

}  // namespace

Result<Description> Description::read(std::string_view body) {
    if (body.size() > largestDescription)
        return Error(Error::Kind::TooLarge, "describes itself in more than " + std::to_string(largestDescription) +
                                                " bytes, too many for a process of its own");
    auto memory = std::make_shared<Memory>();
    memory->body = body;
    Unpacker unpacker(memory->body);
    Description made;
    std::uint32_t major = 0;
    unpacker(major);
    if (major != POSTBUS_ABI_MAJOR)
        return Error::invalid("the host speaks ABI " + std::to_string(major) + ", the bus " +
                              std::to_string(POSTBUS_ABI_MAJOR) + "; postbus-host and postbusd belong together");
    made.plugin = text(unpacker);
    made.version = text(unpacker);

    constexpr std::size_t smallestType = 3 * sizeof(std::uint32_t) + smallestText;
    const std::uint32_t count = unpacker.count(smallestType);
    if (count > mostTypes) unpacker.fail();
    memory->types.resize(unpacker.good() ? count : 0);
    for (postbus_type& each : memory->types) {
        each = {};
        each.size = sizeof each;
        each.field_size = sizeof(postbus_field);
        unpacker(each.kind);
        each.name = text(unpacker);
        memory->fields.push_back(fields(unpacker, memory->types));
        memory->values.push_back(values(unpacker));
        each.fields = memory->fields.back().data();
        each.field_count = static_cast<std::uint32_t>(memory->fields.back().size());
        each.values = memory->values.back().data();
        each.value_count = static_cast<std::uint32_t>(memory->values.back().size());
    }
    const std::uint32_t services = unpacker.count(6 * smallestText + sizeof(std::uint32_t));
    if (services > mostServices) unpacker.fail();
    for (std::uint32_t i = 0; i < services && unpacker.good(); ++i)
        made.services.push_back(service(unpacker, memory->types));
    if (!unpacker.whole()) return Error::invalid("a frame that should be the description of a plugin");
    made.memory_ = std::move(memory);
    return made;
}

}  // namespace postbus::host
