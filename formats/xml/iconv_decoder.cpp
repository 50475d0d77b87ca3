#include "formats/xml/iconv_decoder.hpp"

#include <iconv.h>

#include <algorithm>
#include <cerrno>

namespace postbus::xml {
namespace {

class Converter {
public:
    Converter() = default;
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;
    ~Converter() { close(); }

    /// Whether it reads `encoding` now, from a fresh state.
    bool open(const char* encoding) {
        if (encoding_ == encoding) {  // names are literals of one table
            iconv(handle_, nullptr, nullptr, nullptr, nullptr);
            return true;
        }
        close();
        handle_ = iconv_open("UTF-8", encoding);
        if (handle_ == none()) return false;
        encoding_ = encoding;
        return true;
    }

    iconv_t handle() const { return handle_; }

private:
    // NOLINTNEXTLINE(performance-no-int-to-ptr): how POSIX has it
    static iconv_t none() { return reinterpret_cast<iconv_t>(-1); }
    void close() {
        if (encoding_) iconv_close(handle_);
        encoding_ = nullptr;
    }

    iconv_t handle_ = none();
    const char* encoding_ = nullptr;
};

}  // namespace

Result<std::string_view> iconvToUtf8(std::string_view bytes, const char* encoding, std::string& memory) {
    thread_local Converter converter;
    if (!converter.open(encoding))
        return Error(Error::Kind::Unsupported,
                     "the encoding '" + std::string(encoding) + "' is not installed here; send UTF-8");
    // No byte of these encodings becomes more than three of UTF-8, as none leads beyond the basic plane with less than
    // two; the rest covers what a converter holds back.
    memory.resize(bytes.size() * 3 + 16);
    char* in = const_cast<char*>(bytes.data());
    char* out = memory.data();
    std::size_t inLeft = bytes.size(), outLeft = memory.size();
    std::size_t done = iconv(converter.handle(), &in, &inLeft, &out, &outLeft);
    if (done != static_cast<std::size_t>(-1)) done = iconv(converter.handle(), nullptr, nullptr, &out, &outLeft);
    memory.resize(static_cast<std::size_t>(out - memory.data()));
    if (done != static_cast<std::size_t>(-1)) return std::string_view(memory);
    return Error::invalid("line " + std::to_string(1 + std::count(memory.begin(), memory.end(), '\n')) +
                          ": the bytes are not valid " + encoding + ", the encoding that the message claims");
}

}  // namespace postbus::xml
