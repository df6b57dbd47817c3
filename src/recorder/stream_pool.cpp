#include "recorder/stream_pool.h"

#include "recorder/raw_file.h"
#include "recorder/recording.h"
#include "recorder/system.h"

namespace parcast::recorder {
namespace {

constexpr uint32_t streams_per_block = 64;
constexpr uint32_t block_limit = 1024;

struct Pool {
    uint64_t free_head;  // tag in the upper half, index + 1 in the lower; 0: empty
    uint32_t made;
    Stream* blocks[block_limit];
};
constinit Pool pool = {};

// The kernel's name for the CPU clock of a thread of this process (pthread_getcpuclockid).
clockid_t clock_of_thread(uint32_t kernel_id) {
    return static_cast<clockid_t>(~kernel_id << 3 | 6);
}

Stream* map_block(uint32_t block) {
    Stream* present = __atomic_load_n(&pool.blocks[block], __ATOMIC_ACQUIRE);
    if (present)
        return present;
    constexpr size_t bytes = streams_per_block * sizeof(Stream);
    auto* const streams = static_cast<Stream*>(map_memory(bytes));
    if (!streams)
        return nullptr;
    if (__atomic_compare_exchange_n(&pool.blocks[block], &present, streams, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return streams;
    unmap(streams, bytes);
    return present;
}

}  // namespace

Stream* StreamPool::at(uint32_t index) {
    return &pool.blocks[index / streams_per_block][index % streams_per_block];
}

Stream* StreamPool::make() {
    uint32_t index = __atomic_load_n(&pool.made, __ATOMIC_RELAXED);
    do
        if (index == streams_per_block * block_limit || !map_block(index / streams_per_block))
            return nullptr;
    while (!__atomic_compare_exchange_n(&pool.made, &index, index + 1, true, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
    // Zero pages are a valid empty stream but for its address; no constructor touches its tables.
    Stream* const stream = at(index);
    stream->state_ = StreamState::silent;
    stream->pool_index_ = index;
    stream->generation_ = recording.generation - 1;  // belongs to no file yet
    return stream;
}

Stream* StreamPool::take() {
    Stream* stream = nullptr;
    uint64_t head = __atomic_load_n(&pool.free_head, __ATOMIC_ACQUIRE);
    while (static_cast<uint32_t>(head) != 0) {
        stream = at(static_cast<uint32_t>(head) - 1);
        uint64_t const next = (head >> 32) + 1;
        if (__atomic_compare_exchange_n(&pool.free_head, &head, next << 32 | stream->next_free_, true,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            break;
        stream = nullptr;
    }
    if (!stream)
        stream = make();
    if (!stream)
        return nullptr;
    if (stream->generation_ != recording.generation)
        stream->start_new_file();
    return stream;
}

void StreamPool::give_back(Stream* stream) {
    uint64_t head = __atomic_load_n(&pool.free_head, __ATOMIC_RELAXED);
    uint64_t next;
    do {
        stream->next_free_ = static_cast<uint32_t>(head);
        next = ((head >> 32) + 1) << 32 | (stream->pool_index_ + 1);
    } while (
        !__atomic_compare_exchange_n(&pool.free_head, &head, next, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

Stream* StreamPool::find(uint32_t kernel_id) {
    uint32_t const made = __atomic_load_n(&pool.made, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < made; ++i) {
        Stream* const stream = at(i);
        if (stream->kernel_id_ == kernel_id && stream->state_ != StreamState::silent &&
            stream->generation_ == recording.generation)
            return stream;
    }
    return nullptr;
}

void StreamPool::close_all() {
    uint32_t const made = __atomic_load_n(&pool.made, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < made; ++i)
        at(i)->end_ = nullptr;
    write_final_clocks(made);
}

void StreamPool::write_final_clocks(uint32_t made) {
    size_t const wanted = made * sizeof(wire::FinalClock) / wire::page_bytes + 1;
    auto const pages =
        static_cast<uint16_t>(wanted < wire::most_chunk_pages ? wanted : wire::most_chunk_pages);
    wire::ChunkHeader* chunk = nullptr;
    for (uint32_t i = 0; i < made; ++i) {
        Stream const& stream = *at(i);
        bool const is_alive =
            stream.state_ != StreamState::silent && stream.generation_ == recording.generation;
        uint64_t const cpu_ns = is_alive ? read_clock_ns(clock_of_thread(stream.kernel_id_)) : 0;
        if (cpu_ns == 0)
            continue;
        if (!chunk || wire::chunk_content_bytes(chunk->pages) - chunk->bytes < sizeof(wire::FinalClock))
            chunk = allocate_chunk(*recording.header, wire::ChunkKind::final_clocks, pages, 0, 0);
        if (!chunk)
            return;
        auto* const clocks = reinterpret_cast<wire::FinalClock*>(chunk + 1);
        clocks[chunk->bytes / sizeof(wire::FinalClock)] = {stream.thread_number_, cpu_ns};
        chunk->bytes += sizeof(wire::FinalClock);
    }
}

void StreamPool::forget_watches() {
    for (uint32_t i = 0; i < pool.made; ++i)
        forget_watch(at(i)->watch_);
}

void StreamPool::restart_in_child() {
    pool.free_head = 0;
    for (uint32_t i = 0; i < pool.made; ++i) {
        Stream* const stream = at(i);
        stream->state_ = StreamState::silent;
        if (stream != current_stream)
            give_back(stream);
    }
}

}  // namespace parcast::recorder
