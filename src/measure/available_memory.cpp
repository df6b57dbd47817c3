#include "measure/available_memory.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace parcast::measure {

std::optional<std::uint64_t> available_memory() {
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::uint64_t kilobytes = 0;
        if (std::sscanf(line.c_str(), "MemAvailable: %" SCNu64, &kilobytes) == 1)
            return kilobytes * 1024;
    }
    return std::nullopt;
}

}  // namespace parcast::measure
