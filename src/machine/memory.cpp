#include "machine/memory.h"

#include <cmath>
#include <set>

namespace parcast {

namespace {

bool is_time(double value) {
    return std::isfinite(value) && value >= 0;
}

Result<void> check(Memory const& memory) {
    if (!is_time(memory.bandwidth_bytes_per_ns) || memory.bandwidth_bytes_per_ns == 0 ||
        memory.channels == 0 || memory.line_bytes == 0 || !is_time(memory.latency_ns)) {
        return fail(ErrorCode::out_of_range, "a memory needs a bandwidth, channels and lines above 0");
    }
    if (memory.latency_ns != 0 && memory.latency_ns < memory.transfer_ns()) {
        return fail(ErrorCode::inconsistent,
                    "the latency of the memory is shorter than a line takes over a channel: " +
                        std::to_string(memory.transfer_ns()) + " ns by its bandwidth");
    }
    return {};
}

Result<void> check(Bus const& bus) {
    for (double const time : {bus.request_ns, bus.invalidate_ns, bus.write_back_ns, bus.response_ns,
                              bus.memory_ns, bus.cache_ns}) {
        if (!is_time(time))
            return fail(ErrorCode::out_of_range, "a time of the bus is negative or not a finite number");
    }
    if (bus.most_reads == 0)
        return fail(ErrorCode::out_of_range, "a bus needs room for a read");
    return {};
}

}  // namespace

Result<void> check(SharedResources const& resources) {
    if (resources.bus) {
        if (resources.memory || !resources.stations.empty()) {
            return fail(ErrorCode::inconsistent,
                        "a [bus] is a network of its own: there is no [memory] or [[station]] beside it");
        }
        return check(*resources.bus);
    }
    if (resources.memory) {
        if (auto sound = check(*resources.memory); !sound)
            return sound;
    }
    if (resources.accesses_per_us && !is_time(*resources.accesses_per_us))
        return fail(ErrorCode::out_of_range, "the rate of accesses is negative or not a finite number");
    std::set<std::string> names{"memory"};
    for (auto const& station : resources.stations) {
        if (!names.insert(station.name).second) {
            return fail(ErrorCode::inconsistent,
                        "the name \"" + station.name + "\" of a station is taken; each needs its own");
        }
        if (!is_time(station.service_ns) || station.servers == 0)
            return fail(ErrorCode::out_of_range,
                        "station \"" + station.name + "\" needs a time and a server");
    }
    return {};
}

}  // namespace parcast
