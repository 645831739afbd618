// edge-none: while this empty file is there, a box has no edge and the units of its tunnel stay
// down. lososd-pathd writes it; those units look at it.
#pragma once

#include "base/file.h"

#include <string>

namespace losos::edge_none_file {

Result<Change> store(const std::string& path);

Result<Change> remove(const std::string& path);

} // namespace losos::edge_none_file
