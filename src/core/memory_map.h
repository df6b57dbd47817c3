// The kernel's lock on the map of a process's memory, as an object of a recording (docs/record.md).

#pragma once

#include <string_view>

#include "core/catalogue.h"

namespace parcast {

inline constexpr std::string_view memory_map_name = "memory map";

// No lock of a program: those have addresses.
inline bool is_memory_map(Object const& object) {
    return object.kind == ObjectKind::reader_writer_lock && object.address == 0 &&
           object.name == memory_map_name;
}

}  // namespace parcast
