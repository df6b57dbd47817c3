#include "messages/counted_memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace parcast::bench {

namespace {

std::size_t allocated = 0;  // the benchmark has one thread
std::size_t most_allocated = 0;

}  // namespace

std::size_t allocated_bytes() {
    return allocated;
}

std::size_t take_most_allocated_bytes() {
    auto const most = most_allocated;
    most_allocated = allocated;
    return most;
}

static void* counted(void* memory) {
    if (!memory)
        throw std::bad_alloc();
    allocated += malloc_usable_size(memory);
    most_allocated = std::max(most_allocated, allocated);
    return memory;
}

static void release(void* memory) {
    allocated -= malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace parcast::bench

void* operator new(std::size_t bytes) {
    return parcast::bench::counted(std::malloc(bytes));
}
void operator delete(void* memory) noexcept {
    parcast::bench::release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    parcast::bench::release(memory);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return parcast::bench::counted(std::aligned_alloc(static_cast<std::size_t>(alignment), bytes));
}
void operator delete(void* memory, std::align_val_t) noexcept {
    parcast::bench::release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    parcast::bench::release(memory);
}
