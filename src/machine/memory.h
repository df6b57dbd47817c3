// What busy processors compete for beside processors: memory and other stations that serve requests. A plain
// value; the TOML form is docs/formats/memory.md, its reader machine/memory_toml.h. What comes of it is the
// model room's: model/queueing/station_law.h.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace parcast {

// Where the time of a request that meets no other is.
enum class UncontendedTime : std::uint8_t {
    in_cpu_time,  // it was measured with the task: only waiting for others comes on top
    added,        // a task's CPU time is its computing alone
};

struct Memory {
    double bandwidth_bytes_per_ns = 0;  // of all channels; a byte a nanosecond is a gigabyte a second
    std::uint32_t channels = 1;
    std::uint32_t line_bytes = 64;  // of an access
    double latency_ns = 0;          // of an access that meets no other; 0: that of the transfer
    UncontendedTime uncontended = UncontendedTime::in_cpu_time;

    // Time that an access keeps its channel.
    double transfer_ns() const { return line_bytes * channels / bandwidth_bytes_per_ns; }

    friend bool operator==(Memory const&, Memory const&) = default;
};

// Any other thing that serves requests: a disk, a network, a server of its own.
struct SharedStation {
    std::string name;
    double service_ns = 0;
    std::uint32_t servers = 1;
    bool waits = true;  // or has room for everybody: a delay
    UncontendedTime uncontended = UncontendedTime::added;

    friend bool operator==(SharedStation const&, SharedStation const&) = default;
};

// A bus on which requests and responses are apart: a request goes over the bus to a memory or to another
// processor's cache, and the response comes back over it, before all else that waits. At most so many reads
// are under way. A request takes all of this on top of the CPU time.
struct Bus {
    double request_ns = 0;     // on the bus: of a read
    double invalidate_ns = 0;  // of a request that is nothing else
    double write_back_ns = 0;  // of data that go out with a read
    double response_ns = 0;
    double memory_ns = 0;  // at one of two memories
    double cache_ns = 0;   // or at a cache
    std::uint32_t most_reads = 1;

    friend bool operator==(Bus const&, Bus const&) = default;
};

struct SharedResources {
    std::string name;
    std::optional<Memory> memory;
    std::vector<SharedStation> stations;
    std::optional<Bus> bus;  // a network of its own: then there is nothing else
    // For tasks that do not say "memory.rate", and for recorded programs.
    std::optional<double> accesses_per_us;

    friend bool operator==(SharedResources const&, SharedResources const&) = default;
};

// Errors: out_of_range, inconsistent (a latency shorter than the transfer, a name that stands twice or is
// taken, a bus beside something else).
Result<void> check(SharedResources const& resources);

}  // namespace parcast
