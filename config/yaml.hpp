#pragma once

#include "config/node.hpp"
#include "config/problems.hpp"
#include "config/source.hpp"

namespace postbus::config {

/// Reads one YAML document into nodes that `store` owns. This is the only door to the YAML library: its exceptions
/// stop here, and text that would make it overflow the stack or multiply aliases is refused on the way.
///
/// Returns null after adding the fault when the text is no YAML document. Faults that leave a whole tree (a key given
/// twice) are added too, and the tree is returned.
const Node* parseYaml(const Source& source, NodeStore& store, Problems& problems);

}  // namespace postbus::config
