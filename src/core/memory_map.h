// The kernel's lock on the map of a process's memory, as an object of a recording (docs/record.md).

#pragma once

#include <algorithm>
#include <string_view>

#include "core/catalogue.h"

namespace parcast {

inline constexpr std::string_view memory_map_name = "memory map";

// No lock of a program: those have addresses.
inline bool is_memory_map(Object const& object) {
    return object.kind == ObjectKind::reader_writer_lock && object.address == 0 &&
           object.name == memory_map_name;
}

// None if it was not recorded.
inline ObjectId memory_map_in(Catalogue const& catalogue) {
    auto const found = std::ranges::find_if(catalogue.objects, is_memory_map);
    return found == catalogue.objects.end()
               ? ObjectId::none()
               : ObjectId(static_cast<std::size_t>(found - catalogue.objects.begin()));
}

}  // namespace parcast
