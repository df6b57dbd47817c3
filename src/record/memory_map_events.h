// What a program did to the map of its memory, as events of its threads: each change holds a reader-writer
// lock, "memory map", for itself, each page fault shares it, or "memory areas" where the kernel has locks of
// single areas. So readers of the recording and the replay need to know nothing of it; extraction shares the
// page faults out among threads (extract/first_touches.h).

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
        bool is_near = false;  // a fault near one of the thread's last eight: Event::value is 1
    };

    // The objects that changes and faults take.
    struct Locks {
        ObjectId changes = ObjectId::none();
        ObjectId faults = ObjectId::none();
    };

    // Takes the uses of the image with this header, and puts the locks into the catalogue. Nothing happens if
    // they can hardly matter: fewer than two threads use the map, or all uses together take less than half a
    // thousandth of the CPU time, and the notes of them took next to none; or if the image says itself what
    // its functions take. Uses that the kernel lost may be anybody's, and are lost events of each image.
    void add(MemoryMapUses const& uses, wire::Header const& header, Timeline& recorded);

    // With the events of those uses among the others. The CPU time of each thread stays what it is.
    RecordingSink inserted(RecordingSink const& take) const;

private:
    Locks locks_;
    std::vector<std::vector<Section>> threads_;  // by time
};

// The event with those sections before it: the CPU time before it is theirs, in part. `end_ns`: of the event
// before. Appends to `events`. REQUIRES: the sections are ordered by time.
void append_with_sections(Event event, std::span<MemoryMapEvents::Section const> sections,
                          std::int64_t end_ns, MemoryMapEvents::Locks const& locks,
                          std::vector<Event>& events);

}  // namespace parcast::record
