// Contention as a list: how fast the tasks of a group are while so many tasks run, relative to one that has
// its CPU and all else for itself. Parameters of resource use with a name each: "speed.1", "speed.2", and so
// on; the last of a group's holds for more. A group without them is not slowed.

#pragma once

#include <cstddef>
#include <string>

namespace parcast {

inline std::string speed_parameter(std::size_t running) {
    return "speed." + std::to_string(running);
}

}  // namespace parcast
