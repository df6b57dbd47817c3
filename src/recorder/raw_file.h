// The raw file of one process image: DIRECTORY/PID.GENERATION.raw, mapped and grown in segments.
//
// 1. Space is reserved before it is mapped, so a full disk is a failed allocation and not a SIGBUS.
// 2. No descriptor stays open: programs close all descriptors, or count on the lowest free one. A segment
//    costs one open: 64 KiB at first, each as large as the file so far, from 1 MiB (128 Ki events) on that.
// 3. Pages are handed out by an atomic counter: no lock, callable from signal handlers.

#pragma once

#include "wire/record.h"

#include <stddef.h>
#include <stdint.h>

namespace parcast::recorder {

// The header of a new file, mapped; nullptr if it cannot be made. `limit_bytes` is how large it may
// become, 0 for no limit. A second call (in the child of a fork) leaves the first file alone.
wire::Header* open_raw_file(char const* directory, uint64_t limit_bytes);

// The file that was opened last turned out to be of no use.
void remove_raw_file();

// nullptr if the disk is full or the limit is reached. The chunk is zero but for its header, and all its
// pages are present: writing to it takes no page fault. One chunk is kept back for the final
// clocks, which are written when nothing else can be: of a page, and of most_chunk_pages once the file is
// large.
wire::ChunkHeader* allocate_chunk(wire::Header& header, wire::ChunkKind kind, uint16_t pages, uint32_t stream,
                                  uint32_t sequence);

// Why allocate_chunk failed.
bool is_at_limit();

}  // namespace parcast::recorder
