#include "recorder/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder/system.h"
#include "recorder/text_line.h"

namespace parcast::recorder {
namespace {

constexpr size_t segment_bytes = 1024 * 1024;
constexpr uint32_t pages_per_segment = segment_bytes / wire::page_bytes;
constexpr uint32_t segment_limit = 65536;

struct RawFile {
    char path[PATH_MAX];
    uint64_t limit_bytes;
    uint32_t next_page;
    wire::ChunkHeader* reserve;  // of kind unused, which readers skip
    bool at_limit;
    char* segments[segment_limit];
};
constinit RawFile raw_file = {};

constexpr off_t segment_offset(uint32_t segment) {
    return static_cast<off_t>(wire::header_bytes + static_cast<uint64_t>(segment) * segment_bytes);
}

void* map_space(int descriptor, off_t offset, size_t bytes) {
    if (!may_grow_to(offset + static_cast<off_t>(bytes)) || !reserve_space(descriptor, offset, bytes))
        return nullptr;
    return map_file(descriptor, offset, bytes, PROT_READ | PROT_WRITE);
}

// Two threads may map the same segment at once: the slower one throws its mapping away.
char* map_segment(uint32_t segment) {
    off_t const offset = segment_offset(segment);
    if (raw_file.limit_bytes && static_cast<uint64_t>(offset) + segment_bytes > raw_file.limit_bytes) {
        raw_file.at_limit = true;
        return nullptr;
    }
    int const descriptor = open_file(raw_file.path, O_RDWR);
    if (descriptor < 0)
        return nullptr;
    char* const memory = static_cast<char*>(map_space(descriptor, offset, segment_bytes));
    close_file(descriptor);
    if (!memory)
        return nullptr;
    char* present = nullptr;
    if (__atomic_compare_exchange_n(&raw_file.segments[segment], &present, memory, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return memory;
    unmap(memory, segment_bytes);
    return present;
}

// The pages of a chunk lie in one segment: those left over at the end of one stay empty.
uint32_t take_pages(uint16_t pages) {
    uint32_t first;
    do
        first = __atomic_fetch_add(&raw_file.next_page, pages, __ATOMIC_RELAXED);
    while (first / pages_per_segment != (first + pages - 1) / pages_per_segment);
    return first;
}

void raise_page_count(wire::Header& header, uint32_t count) {
    uint32_t present = __atomic_load_n(&header.page_count, __ATOMIC_RELAXED);
    while (present < count && !__atomic_compare_exchange_n(&header.page_count, &present, count, true,
                                                           __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}

// The next chunk, with its header but for the kind.
wire::ChunkHeader* take_chunk(wire::Header& header, uint16_t pages, uint32_t stream, uint32_t sequence) {
    uint32_t const first = take_pages(pages);
    uint32_t const segment = first / pages_per_segment;
    if (segment >= segment_limit)
        return nullptr;
    char* memory = __atomic_load_n(&raw_file.segments[segment], __ATOMIC_ACQUIRE);
    if (!memory)
        memory = map_segment(segment);
    if (!memory)
        return nullptr;
    auto* const chunk =
        reinterpret_cast<wire::ChunkHeader*>(memory + first % pages_per_segment * wire::page_bytes);
    chunk->pages = pages;
    chunk->stream = stream;
    chunk->sequence = sequence;
    raise_page_count(header, first + pages);
    return chunk;
}

// A process image finds the files of the images before it (exec) in its way.
int create_file(char const* directory) {
    for (unsigned generation = 0; generation < 1'000'000; ++generation) {
        TextLine path(raw_file.path, sizeof raw_file.path - 1);
        path.add(directory).add("/").add_number(static_cast<uint64_t>(getpid()), 10);
        path.add(".").add_number(generation, 10).add(".raw");
        raw_file.path[path.length()] = 0;
        if (!path.is_whole())
            return -1;
        int const descriptor = open_file(raw_file.path, O_RDWR | O_CREAT | O_EXCL);
        if (descriptor != -EEXIST)
            return descriptor;
    }
    return -1;
}

}  // namespace

wire::Header* open_raw_file(char const* directory, uint64_t limit_bytes) {
    // The segments of a parent stay mapped: the child may return into an event that it interrupted.
    uint32_t const used = raw_file.next_page / pages_per_segment + 1;
    memset(raw_file.segments, 0, (used < segment_limit ? used : segment_limit) * sizeof(char*));
    raw_file.limit_bytes = limit_bytes;
    raw_file.next_page = 0;
    raw_file.reserve = nullptr;
    raw_file.at_limit = false;
    int const descriptor = create_file(directory);
    if (descriptor < 0)
        return nullptr;
    auto* const header = static_cast<wire::Header*>(map_space(descriptor, 0, wire::header_bytes));
    close_file(descriptor);
    if (!header) {
        remove_raw_file();
        return nullptr;
    }
    raw_file.reserve = take_chunk(*header, wire::most_chunk_pages, 0, 0);
    return header;
}

wire::ChunkHeader* allocate_chunk(wire::Header& header, wire::ChunkKind kind, uint16_t pages, uint32_t stream,
                                  uint32_t sequence) {
    wire::ChunkHeader* chunk = take_chunk(header, pages, stream, sequence);
    if (chunk && pages > 1)
        make_present(chunk, pages * wire::page_bytes);
    if (!chunk && kind == wire::ChunkKind::final_clocks)
        chunk = __atomic_exchange_n(&raw_file.reserve, nullptr, __ATOMIC_ACQ_REL);
    if (chunk)
        __atomic_store_n(&chunk->kind, kind, __ATOMIC_RELEASE);
    return chunk;
}

void remove_raw_file() {
    remove_file(raw_file.path);
}

bool is_at_limit() {
    return raw_file.at_limit;
}

}  // namespace parcast::recorder
