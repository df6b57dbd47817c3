#include "recorder/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/real.h"

namespace parcast::recorder {
namespace {

constexpr size_t segment_bytes = 1024 * 1024;
constexpr uint32_t pages_per_segment = segment_bytes / wire::page_bytes;
constexpr uint32_t segment_limit = 65536;

// syscall() and not open(): the hooks of open and close are not for us.
PARCAST_REAL Real<decltype(::syscall)> real_syscall{"syscall"};

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

int open_file(int flags) {
    return static_cast<int>(
        real_syscall(SYS_openat, AT_FDCWD, raw_file.path, flags | O_RDWR | O_CLOEXEC, 0600));
}

bool reserve(int descriptor, off_t offset, size_t bytes) {
    int error;
    do
        error = posix_fallocate(descriptor, offset, static_cast<off_t>(bytes));
    while (error == EINTR);
    return error == 0;
}

// The host may limit the size of its files; a file that grows beyond would cost it a SIGXFSZ.
bool is_allowed(off_t size) {
    struct rlimit limit = {};
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           static_cast<rlim_t>(size) <= limit.rlim_cur;
}

void* map(int descriptor, off_t offset, size_t bytes) {
    if (!is_allowed(offset + static_cast<off_t>(bytes)) || !reserve(descriptor, offset, bytes))
        return nullptr;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
    return memory == MAP_FAILED ? nullptr : memory;
}

// Two threads may map the same segment at once: the slower one throws its mapping away.
char* map_segment(uint32_t segment) {
    off_t const offset = segment_offset(segment);
    if (raw_file.limit_bytes && static_cast<uint64_t>(offset) + segment_bytes > raw_file.limit_bytes) {
        raw_file.at_limit = true;
        return nullptr;
    }
    int const descriptor = open_file(0);
    if (descriptor < 0)
        return nullptr;
    char* const memory = static_cast<char*>(map(descriptor, offset, segment_bytes));
    real_syscall(SYS_close, descriptor);
    if (!memory)
        return nullptr;
    char* present = nullptr;
    if (__atomic_compare_exchange_n(&raw_file.segments[segment], &present, memory, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return memory;
    munmap(memory, segment_bytes);
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

// One system call for all page faults, where the kernel has it (5.14); else they happen one by one later.
void make_present(char* memory, size_t bytes) {
    madvise(memory, bytes, MADV_POPULATE_WRITE);
}

void raise_page_count(wire::Header& header, uint32_t count) {
    uint32_t present = __atomic_load_n(&header.page_count, __ATOMIC_RELAXED);
    while (present < count && !__atomic_compare_exchange_n(&header.page_count, &present, count, true,
                                                           __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}

// The next chunk, with its header but for the kind. errno may change.
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
        int const length = snprintf(raw_file.path, sizeof raw_file.path, "%s/%d.%u.raw", directory,
                                    static_cast<int>(getpid()), generation);
        if (length < 0 || static_cast<size_t>(length) >= sizeof raw_file.path)
            return -1;
        int const descriptor = open_file(O_CREAT | O_EXCL);
        if (descriptor >= 0 || errno != EEXIST)
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
    auto* const header = static_cast<wire::Header*>(map(descriptor, 0, wire::header_bytes));
    real_syscall(SYS_close, descriptor);
    if (!header) {
        real_syscall(SYS_unlinkat, AT_FDCWD, raw_file.path, 0);
        return nullptr;
    }
    raw_file.reserve = take_chunk(*header, wire::most_chunk_pages, 0, 0);
    return header;
}

wire::ChunkHeader* allocate_chunk(wire::Header& header, wire::ChunkKind kind, uint16_t pages, uint32_t stream,
                                  uint32_t sequence) {
    int const host_errno = errno;
    wire::ChunkHeader* chunk = take_chunk(header, pages, stream, sequence);
    if (chunk && pages > 1)
        make_present(reinterpret_cast<char*>(chunk), pages * wire::page_bytes);
    if (!chunk && kind == wire::ChunkKind::final_clocks)
        chunk = __atomic_exchange_n(&raw_file.reserve, nullptr, __ATOMIC_ACQ_REL);
    errno = host_errno;
    if (chunk)
        __atomic_store_n(&chunk->kind, kind, __ATOMIC_RELEASE);
    return chunk;
}

bool is_at_limit() {
    return raw_file.at_limit;
}

}  // namespace parcast::recorder
