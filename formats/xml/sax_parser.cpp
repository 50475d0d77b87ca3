#include "formats/xml/sax_parser.hpp"

#include <libxml/SAX2.h>
#include <libxml/dict.h>
#include <libxml/xmlerror.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "formats/xml/chars.hpp"
#include "formats/xml/values.hpp"
#include "formats/xml/wording.hpp"
#include "formats/xml/xml_memory.hpp"

namespace postbus::xml {
namespace {

// A context whose dictionary holds more than this is thrown away after the document.
constexpr int keptNames = 10'000;
constexpr std::size_t keptNameBytes = 1024 * 1024;
constexpr std::size_t keptValue = 256 * 1024;

// XML_PARSE_HUGE lifts libxml2's own limits, which are for depth and lengths; ours are checked here and in parse.cpp.
// The encoding was settled before, so what the declaration says about it is ignored. Never
// XML_PARSE_NOENT: should a DTD get past us one day, its entities must still not be put in.
constexpr int options = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_IGNORE_ENC;

std::string_view viewOf(const xmlChar* begin, const xmlChar* end) {
    return {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)};
}

}  // namespace

SaxParser::SaxParser() { installXmlMemory(); }

SaxParser::~SaxParser() {
    if (context_) xmlFreeParserCtxt(context_);
}

bool SaxParser::renew() {
    names_.reset();
    xmlSAXHandler handler;
    std::memset(&handler, 0, sizeof handler);
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = onStart;
    handler.endElementNs = onEnd;
    handler.characters = onText;
    handler.ignorableWhitespace = onText;
    handler.cdataBlock = onCdata;
    handler.processingInstruction = onInstruction;
    handler.internalSubset = onDoctype;
    handler.serror = onError;
    context_ = xmlCreatePushParserCtxt(&handler, this, nullptr, 0, nullptr);
    if (!context_) return false;
    xmlCtxtUseOptions(context_, options);
    return true;
}

bool SaxParser::reset(std::string_view document) {
    if (!context_ && !renew()) return false;
    return xmlCtxtResetPush(context_, document.data(), static_cast<int>(document.size()), nullptr, nullptr) == 0;
}

Result<void> SaxParser::parse(std::string_view document, const Limits& limits, Tape& tape) {
    limits_ = limits;
    failure_.reset();
    names_.next();
    bindings_.clear();
    textLine_ = 1;
    builder_.begin(tape);
    if (!reset(document)) return Error(Error::Kind::Unavailable, "not enough memory to read the document");

    xmlParseChunk(context_, nullptr, 0, 1);

    if (!ended() && (!context_->wellFormed || builder_.depth() != 0 || builder_.nodes() == 0))
        fail(Error::Kind::Invalid, 0, "the document is not well-formed XML");
    if (xmlDictSize(context_->dict) > keptNames || xmlDictGetUsage(context_->dict) > keptNameBytes) {
        xmlFreeParserCtxt(context_);
        context_ = nullptr;
    }
    if (memory_.capacity() > keptValue) memory_ = {};
    if (ended()) {
        tape.clear();
        return *std::move(failure_);
    }
    builder_.finish();
    return ok();
}

template <class Handle>
void SaxParser::event(void* user, Handle handle) {
    SaxParser& self = *static_cast<SaxParser*>(user);
    try {
        if (!self.failure_) handle(self);
    } catch (const std::bad_alloc&) {
        self.outOfMemory();
    }
    // Only here: an error is reported from the midst of libxml2's reading, where stopping frees what it still uses.
    if (self.failure_) xmlStopParser(self.context_);
}

void SaxParser::onStart(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri, int declarations,
                        const xmlChar** declared, int attributes, int, const xmlChar** values) {
    event(user, [&](SaxParser& self) { self.start({prefix, uri, local}, declarations, declared, attributes, values); });
}

void SaxParser::onEnd(void* user, const xmlChar*, const xmlChar*, const xmlChar*) {
    event(user, [](SaxParser& self) { self.end(); });
}

void SaxParser::onText(void* user, const xmlChar* text, int length) {
    event(user, [&](SaxParser& self) { self.text(viewOf(text, text + length)); });
}

void SaxParser::onCdata(void* user, const xmlChar* text, int length) {
    event(user, [&](SaxParser& self) { self.text(normalised(viewOf(text, text + length), self.memory_)); });
}

void SaxParser::onInstruction(void* user, const xmlChar*, const xmlChar*) {
    event(user, [](SaxParser& self) {
        if (self.limits_.dropInstructions) return;
        self.fail(Error::Kind::Invalid, self.line(), "processing instructions are not allowed");
    });
}

void SaxParser::onDoctype(void* user, const xmlChar*, const xmlChar*, const xmlChar*) {
    event(user, [](SaxParser& self) {
        self.fail(Error::Kind::Invalid, self.line(), "a document type declaration (DTD) is not allowed");
    });
}

void SaxParser::start(NameTable::Key name, int declarations, const xmlChar** declared, int attributes,
                      const xmlChar** values) {
    textLine_ = line();
    if (builder_.depth() >= limits_.depth)
        return fail(Error::Kind::Invalid, line(),
                    "elements are nested deeper than the limit of " + std::to_string(limits_.depth));
    if (static_cast<std::uint32_t>(attributes + declarations) > limits_.attributes)
        return fail(Error::Kind::Invalid, line(),
                    "an element has more attributes than the limit of " + std::to_string(limits_.attributes));
    if (!roomForNodes(1 + static_cast<std::size_t>(declarations) + static_cast<std::size_t>(attributes))) return;

    const auto index = intern(name);
    if (!index) return;
    builder_.start(*index, line());
    if (!declare(declarations, declared)) return;
    for (int i = 0; i < attributes; ++i) {  // each is local, prefix, uri, begin and end of the value
        const xmlChar* const* const each = values + 5 * i;
        const auto attribute = intern({each[1], each[2], each[0]});
        if (!attribute) return;
        builder_.attribute(*attribute, resolved(viewOf(each[3], each[4]), memory_));
    }
}

bool SaxParser::declare(int count, const xmlChar** declared) {
    const std::uint32_t outer = bindings_.empty() ? 0 : bindings_.back();
    bindings_.push_back(outer + static_cast<std::uint32_t>(count));
    if (bindings_.back() > limits_.bindings) {
        fail(Error::Kind::Invalid, line(),
             "more namespace declarations are in scope than the limit of " + std::to_string(limits_.bindings));
        return false;
    }
    for (int i = 0; i < count; ++i) {
        const auto name = intern({declared[2 * i], declared[2 * i + 1], nullptr});
        if (!name) return false;
        builder_.declare(*name);
    }
    return true;
}

void SaxParser::end() {
    builder_.end();
    bindings_.pop_back();
    textLine_ = line();
}

void SaxParser::text(std::string_view text) {
    if (builder_.depth() == 0 || !roomForNodes(1)) return;
    builder_.text(text, textLine_);
}

void SaxParser::onError(void* user, xmlErrorPtr error) {
    SaxParser& self = *static_cast<SaxParser*>(user);
    if (self.ended()) return;
    switch (error->code) {
        case XML_ERR_NO_MEMORY:
            return self.outOfMemory();
        // Namespace names are compared as strings; whether they are URIs is nobody's business here.
        case XML_WAR_NS_URI:
        case XML_WAR_NS_URI_RELATIVE:
            return;
        case XML_WAR_UNKNOWN_VERSION:
            return self.fail(Error::Kind::Invalid, 1, "only version 1.0 of XML is supported");
        case XML_WAR_UNDECLARED_ENTITY:
            break;
        default:
            if (error->level == XML_ERR_WARNING) return;
    }
    std::string message = wordingOf(*error, *self.context_);
    const bool rootless = error->code == XML_ERR_DOCUMENT_EMPTY || error->code == XML_ERR_DOCUMENT_END;
    if (rootless && self.builder_.nodes() == 0) message = "the document does not begin with an element";
    self.fail(Error::Kind::Invalid, error->line > 0 ? static_cast<std::uint32_t>(error->line) : 0, message);
}

std::optional<std::uint32_t> SaxParser::intern(const NameTable::Key& key) {
    NameTable::Name& name = names_[key];
    if (name.index != NameTable::none) return name.index;
    if (builder_.names() >= limits_.names) {
        fail(Error::Kind::Invalid, line(), "more distinct names than the limit of " + std::to_string(limits_.names));
        return std::nullopt;
    }
    if (std::max({name.uri, name.local, name.prefix}) > limits_.nameLength) {
        fail(Error::Kind::Invalid, line(),
             "a name or namespace is longer than the limit of " + std::to_string(limits_.nameLength) + " bytes");
        return std::nullopt;
    }
    name.index = builder_.name(names_.text(name), name.uri, name.local);
    return name.index;
}

bool SaxParser::roomForNodes(std::size_t more) {
    if (builder_.nodes() + more <= limits_.nodes) return true;
    fail(Error::Kind::TooLarge, line(),
         "the document has more parts than the limit of " + std::to_string(limits_.nodes));
    return false;
}

void SaxParser::fail(Error::Kind kind, std::uint32_t line, std::string_view message) {
    if (ended()) return;
    std::string text = line == 0 ? std::string() : "line " + std::to_string(line) + ": ";
    appendPrintable(text, message, 200);
    failure_.emplace(kind, std::move(text));
}

void SaxParser::outOfMemory() { fail(Error::Kind::Unavailable, 0, "not enough memory to read the document"); }

}  // namespace postbus::xml
