#include "recorder/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#include "recorder/system.h"
#include "recorder/text_line.h"

namespace parcast::recorder {
namespace {

// Pages of the file, from its header on: the first 16 are segment 0, and each further segment doubles the
// file up to 1 MiB; from there on each is as large. Processes that live briefly are many.
constexpr uint32_t first_segment_pages = 16;
constexpr uint32_t full_segment_pages = 256;
constexpr uint32_t full_segments_from = 5;
constexpr uint32_t segment_limit = 65536;
constexpr uint32_t header_pages = wire::header_bytes / wire::page_bytes;
static_assert(first_segment_pages << (full_segments_from - 1) == full_segment_pages);
static_assert(first_segment_pages >= wire::most_chunk_pages, "a chunk lies in one segment");

constexpr uint32_t segment_of(uint32_t page) {
    if (page >= full_segment_pages)
        return full_segments_from - 1 + page / full_segment_pages;
    uint32_t segment = 0;
    while (page >= first_segment_pages << segment)
        ++segment;
    return segment;
}

constexpr uint32_t begin_of(uint32_t segment) {
    if (segment == 0)
        return 0;
    return segment < full_segments_from ? first_segment_pages << (segment - 1)
                                        : (segment - full_segments_from + 1) * full_segment_pages;
}
static_assert(segment_of(15) == 0 && segment_of(16) == 1 && segment_of(255) == 4 && segment_of(256) == 5);
static_assert(begin_of(1) == 16 && begin_of(2) == 32 && begin_of(5) == 256 && begin_of(6) == 512);

struct RawFile {
    char path[PATH_MAX];
    uint64_t limit_bytes;
    uint32_t next_page;
    wire::ChunkHeader* reserve;  // of kind unused, which readers skip
    bool has_large_reserve;
    bool at_limit;
    char* segments[segment_limit];
};
constinit RawFile raw_file = {};

void* map_space(int descriptor, off_t offset, size_t bytes) {
    if (!may_grow_to(offset + static_cast<off_t>(bytes)) || !reserve_space(descriptor, offset, bytes))
        return nullptr;
    return map_file(descriptor, offset, bytes, PROT_READ | PROT_WRITE);
}

// Two threads may map the same segment at once: the slower one throws its mapping away.
char* map_segment(uint32_t segment) {
    uint64_t const begin = uint64_t{begin_of(segment)} * wire::page_bytes;
    uint64_t const end = uint64_t{begin_of(segment + 1)} * wire::page_bytes;
    size_t const bytes = end - begin;
    if (raw_file.limit_bytes && end > raw_file.limit_bytes) {
        raw_file.at_limit = true;
        return nullptr;
    }
    int const descriptor = open_file(raw_file.path, O_RDWR);
    if (descriptor < 0)
        return nullptr;
    char* const memory = static_cast<char*>(map_space(descriptor, static_cast<off_t>(begin), bytes));
    close_file(descriptor);
    if (!memory)
        return nullptr;
    char* present = nullptr;
    if (__atomic_compare_exchange_n(&raw_file.segments[segment], &present, memory, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return memory;
    unmap(memory, bytes);
    return present;
}

// The pages of a chunk lie in one segment: those left over at the end of one stay empty.
uint32_t take_pages(uint16_t pages) {
    uint32_t next = __atomic_load_n(&raw_file.next_page, __ATOMIC_RELAXED);
    uint32_t first;
    do {
        uint32_t const last_segment = segment_of(next + pages - 1);
        first = segment_of(next) == last_segment ? next : begin_of(last_segment);
    } while (!__atomic_compare_exchange_n(&raw_file.next_page, &next, first + pages, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
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
    uint32_t const segment = segment_of(first);
    if (segment >= segment_limit)
        return nullptr;
    char* memory = __atomic_load_n(&raw_file.segments[segment], __ATOMIC_ACQUIRE);
    if (!memory)
        memory = map_segment(segment);
    if (!memory)
        return nullptr;
    auto* const chunk =
        reinterpret_cast<wire::ChunkHeader*>(memory + (first - begin_of(segment)) * wire::page_bytes);
    chunk->pages = pages;
    chunk->stream = stream;
    chunk->sequence = sequence;
    raise_page_count(header, first + pages - header_pages);
    return chunk;
}

// For more threads than the first one has room for: each that lives has a page of its own.
void take_large_reserve(wire::Header& header) {
    if (__atomic_exchange_n(&raw_file.has_large_reserve, true, __ATOMIC_RELAXED))
        return;
    if (wire::ChunkHeader* const reserve = take_chunk(header, wire::most_chunk_pages, 0, 0))
        __atomic_store_n(&raw_file.reserve, reserve, __ATOMIC_RELEASE);
}

// A process image finds the files of the images before it (exec) in its way.
int create_file(char const* directory) {
    for (unsigned generation = 0; generation < 1'000'000; ++generation) {
        TextLine path(raw_file.path, sizeof raw_file.path - 1);
        path.add(directory).add("/").add_number(static_cast<uint64_t>(own_process()), 10);
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
    uint32_t const used = segment_of(raw_file.next_page) + 1;
    memset(raw_file.segments, 0, (used < segment_limit ? used : segment_limit) * sizeof(char*));
    raw_file.limit_bytes = limit_bytes;
    raw_file.next_page = header_pages;
    raw_file.reserve = nullptr;
    raw_file.has_large_reserve = false;
    raw_file.at_limit = false;
    int const descriptor = create_file(directory);
    if (descriptor < 0)
        return nullptr;
    close_file(descriptor);
    auto* const header = reinterpret_cast<wire::Header*>(map_segment(0));
    if (!header) {
        remove_raw_file();
        return nullptr;
    }
    raw_file.reserve = take_chunk(*header, 1, 0, 0);
    return header;
}

wire::ChunkHeader* allocate_chunk(wire::Header& header, wire::ChunkKind kind, uint16_t pages, uint32_t stream,
                                  uint32_t sequence) {
    if (__atomic_load_n(&raw_file.next_page, __ATOMIC_RELAXED) >= full_segment_pages / 2)
        take_large_reserve(header);
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
