#include "plugins/elf/inspect.hpp"

#include "plugins/elf/image.hpp"

namespace postbus::elf {
namespace {

#ifndef STB_GNU_UNIQUE
constexpr unsigned STB_GNU_UNIQUE = 10;
#endif

// For messages: names come from the file and may be anything.
std::string shown(std::string_view name) {
    std::string text;
    for (const char c : name.substr(0, 120)) text += c > 0x20 && c < 0x7f ? c : '?';
    if (name.size() > 120) text += "...";
    return text;
}

Result<void> checkStack(const Image& image) {
    const Elf64_Phdr* stack = image.segment(PT_GNU_STACK);
    if (!stack || (stack->p_flags & PF_X))
        return Error::invalid("asks for an executable stack; link it with -Wl,-z,noexecstack");
    return ok();
}

// DT_RPATH and DT_RUNPATH: only what begins at the plugin's own place.
Result<void> checkSearchPath(const Image& image) {
    for (const std::int64_t tag : {DT_RPATH, DT_RUNPATH}) {
        const auto offset = image.dynamic(tag);
        if (!offset) continue;
        const auto path = image.string(*offset);
        if (!path) return Error::invalid("is damaged: its search path lies outside of the file");
        for (std::size_t begin = 0; begin <= path->size();) {
            const std::size_t end = std::min(path->find(':', begin), path->size());
            const std::string_view part = path->substr(begin, end - begin);
            const bool own = part == "$ORIGIN" || part == "${ORIGIN}" || part.substr(0, 8) == "$ORIGIN/" ||
                             part.substr(0, 10) == "${ORIGIN}/";
            if (!own || part.find("..") != std::string_view::npos)
                return Error::invalid("looks for libraries in \"" + shown(part) +
                                      "\" (RUNPATH); link it without -rpath, or with $ORIGIN only");
            begin = end + 1;
        }
    }
    return ok();
}

Result<void> checkFlags(const Image& image) {
    const std::uint64_t flags = image.dynamic(DT_FLAGS).value_or(0), more = image.dynamic(DT_FLAGS_1).value_or(0);
    if (more & DF_1_PIE) return Error::invalid("is a program, not a plugin; link it with -shared");
    if (more & DF_1_NODELETE)
        return Error::invalid("is marked never to be unloaded (DF_1_NODELETE); link it without -Wl,-z,nodelete");
    if ((flags & DF_TEXTREL) || image.dynamic(DT_TEXTREL))
        return Error::invalid("has text relocations; compile all of it with -fPIC");
    return ok();
}

struct Symbols {
    bool entry = false;
    std::size_t unique = 0;
    std::string firstUnique, otherEntry, onExit, threads, signals, threadKeys;
};

void gatherImport(std::string_view name, bool weak, Symbols& found) {
    if (name == "on_exit") found.onExit = name;
    if (weak) return;  // libstdc++'s headers name some of these without using them
    if (name == "pthread_create" || name == "thrd_create") found.threads = name;
    if (name.substr(0, 29) == "_ZNSt6thread15_M_start_thread") found.threads = "std::thread";
    if (name == "signal" || name == "sigaction" || name == "__sysv_signal" || name == "bsd_signal")
        found.signals = name;
    if (name == "pthread_key_create" || name == "tss_create") found.threadKeys = name;
}

Result<Symbols> gather(const Image& image, std::string_view entrySymbol) {
    const std::string_view family = entrySymbol.substr(0, entrySymbol.find_last_not_of("0123456789") + 1);
    Symbols found;
    for (std::size_t i = 1; i < image.symbolCount(); ++i) {
        const auto symbol = image.symbol(i);
        if (!symbol) return Error::invalid("is damaged: symbol " + std::to_string(i) + " has no name");
        if (!symbol->defined()) {
            gatherImport(symbol->name, symbol->binding() == STB_WEAK, found);
        } else if (symbol->binding() == STB_GNU_UNIQUE) {
            if (found.unique++ == 0) found.firstUnique = shown(symbol->name);
        } else if (symbol->name == entrySymbol) {
            found.entry = symbol->type() == STT_FUNC && symbol->binding() != STB_LOCAL &&
                          (symbol->visibility() == STV_DEFAULT || symbol->visibility() == STV_PROTECTED) &&
                          image.within(symbol->entry.st_value, PF_X);
        } else if (symbol->name.substr(0, family.size()) == family) {
            found.otherEntry = shown(symbol->name);
        }
    }
    return found;
}

Result<void> judge(const Symbols& found, std::string_view entrySymbol) {
    if (!found.entry && !found.otherEntry.empty())
        return Error::invalid("is made for another version of the plugin interface (" + found.otherEntry +
                              "); this bus knows " + std::string(entrySymbol) + ": build it with this bus's SDK");
    if (!found.entry)
        return Error::invalid("is no Postbus plugin: it does not export the function " + std::string(entrySymbol));
    if (found.unique)
        return Error::invalid("has " + std::to_string(found.unique) +
                              " STB_GNU_UNIQUE symbols (first: " + found.firstUnique +
                              "), which a later version would share; compile it with -fno-gnu-unique or hide them by "
                              "the SDK's version script");
    if (!found.onExit.empty())
        return Error::invalid("uses on_exit, which would be called after the plugin was unloaded; use atexit or stop");
    return ok();
}

}  // namespace

Result<Report> inspect(std::string_view bytes, std::string_view entrySymbol) {
    auto image = Image::open(bytes);
    if (!image) return std::move(image).error();
    for (auto check : {checkFlags, checkStack, checkSearchPath})
        if (auto passed = check(*image); !passed) return std::move(passed).error();
    auto symbols = gather(*image, entrySymbol);
    if (!symbols) return std::move(symbols).error();
    if (auto passed = judge(*symbols, entrySymbol); !passed) return std::move(passed).error();

    Report report;
    if (!symbols->threads.empty())
        report.warnings.emplace_back("starts threads (" + symbols->threads +
                                     "): all must have ended when stop returns");
    if (!symbols->signals.empty())
        report.warnings.emplace_back("may install signal handlers (" + symbols->signals +
                                     "): one left behind crashes the bus after the unload");
    if (!symbols->threadKeys.empty())
        report.warnings.emplace_back("makes thread keys (" + symbols->threadKeys +
                                     "): delete them in stop, a destructor left behind crashes the bus");
    return report;
}

}  // namespace postbus::elf
