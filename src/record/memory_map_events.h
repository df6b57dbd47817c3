// What a program did to the map of its memory, as events of its threads: each change holds a reader-writer
// lock, "memory map", for itself, each page fault shares it. So readers of the recording, extraction and
// replay need to know nothing of it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/id.h"
#include "record/memory_map_watch.h"
#include "timeline/event_sink.h"
#include "timeline/timeline.h"
#include "wire/record.h"

namespace parcast::record {

class MemoryMapEvents {
public:
    // One section under the lock. The kernel notes a fault before it takes the lock, and a change before it
    // releases it.
    struct Section {
        std::int64_t wall_ns = 0;
        std::int64_t holds_ns = 0;
        bool is_shared = false;
    };

    // Takes the uses of the image with this header, and puts the lock into the catalogue. Nothing happens if
    // threads could hardly meet at it: fewer than two use the map, nobody changes it, or all uses together
    // hold it for less than half a thousandth of the CPU time, and the notes of them took next to none; or if
    // the image says itself what its functions take. Uses that the kernel lost may be anybody's, and are lost
    // events of each image.
    void add(MemoryMapUses const& uses, wire::Header const& header, Timeline& recorded);

    // With the events of those uses among the others. The CPU time of each thread stays what it is.
    RecordingSink inserted(RecordingSink const& take) const;

private:
    ObjectId lock_ = ObjectId::none();
    std::vector<std::vector<Section>> threads_;  // by time
};

// The event with those sections before it: the CPU time before it is theirs, in part. `end_ns`: of the event
// before. Appends to `events`. REQUIRES: the sections are ordered by time.
void append_with_sections(Event event, std::span<MemoryMapEvents::Section const> sections,
                          std::int64_t end_ns, ObjectId lock, std::vector<Event>& events);

}  // namespace parcast::record
