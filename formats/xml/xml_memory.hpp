#pragma once

namespace postbus::xml {

/// Gives libxml2 an allocator that keeps freed blocks for the thread, so that a document costs no trip to the heap in
/// the steady state. Called before the first parse; the first call counts, others do nothing. Any thread.
///
/// Every block is an ordinary malloc() block: it may be freed on another thread, by plain free(), and blocks that
/// libxml2 had before may be freed through it. So neither order nor other users of libxml2 in the process matter.
void installXmlMemory();

}  // namespace postbus::xml
