#pragma once

namespace postbus::xml {

/// Reads a reference to a character or to one of the five predefined entities (XML 1.0 sections 4.1 and 4.6), and
/// writes what it stands for at `out`, which is never longer.
///
/// `at` is at its '&', in text that ends with a zero byte. Returns where it ends, or null when it is none of these or
/// stands for what is no Char.
char* readReference(char* at, char*& out);

}  // namespace postbus::xml
