// Linux clears rseq->rseq_cs when it switches a thread out, or delivers a signal, at an instruction outside
// of the critical section described there (Documentation: rseq(2)). Ours describes one instruction that
// nobody runs, so the pointer tells "not switched" as long as it is there. A program that uses rseq
// itself overwrites the pointer: that reads as "switched", which is slower but never wrong.

#include "recorder/cpu_clock.h"

#include <stddef.h>
#include <sys/rseq.h>

// Absent before glibc 2.35.
#pragma weak __rseq_offset
#pragma weak __rseq_size

// The kernel demands the signature in front of the abort address.
asm(R"(
    .pushsection .text.parcast_rseq, "ax", @progbits
    .hidden parcast_rseq_start
    .hidden parcast_rseq_abort
    .globl parcast_rseq_start
    .globl parcast_rseq_abort
parcast_rseq_start:
    nop
    ud2
    .long 0x53053053
parcast_rseq_abort:
    ud2
    .popsection
)");

extern "C" char const parcast_rseq_start[];
extern "C" char const parcast_rseq_abort[];

namespace parcast::recorder {
namespace {

// struct rseq_cs, filled at run time since the offsets are relocated.
struct alignas(32) CriticalSection {
    uint32_t version;
    uint32_t flags;
    uint64_t start;
    uint64_t length;
    uint64_t abort;
};
static_assert(sizeof(CriticalSection) == 32);

constinit CriticalSection never_executed = {};

struct rseq* area_of_this_thread() {
    return reinterpret_cast<struct rseq*>(static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset);
}

}  // namespace

bool begin_rseq_watch(SwitchWatch& watch) {
    if (&__rseq_size == nullptr || __rseq_size == 0)
        return false;
    if (static_cast<int32_t>(area_of_this_thread()->cpu_id) < 0)
        return false;
    never_executed.length = 1;
    never_executed.abort = reinterpret_cast<uint64_t>(parcast_rseq_abort);
    never_executed.start = reinterpret_cast<uint64_t>(parcast_rseq_start);
    // The low half of the pointer is enough: cleared, it is 0, which the address of ours never is.
    watch.flag = reinterpret_cast<uint32_t const volatile*>(&area_of_this_thread()->rseq_cs);
    watch.armed = static_cast<uint32_t>(reinterpret_cast<uint64_t>(&never_executed));
    return true;
}

// At the address that was found in the beginning: no symbol of libc is read again, by a program that may run
// for days while libraries are replaced below it.
void arm_rseq_watch(SwitchWatch& watch) {
    auto* const pointer = reinterpret_cast<uint64_t*>(const_cast<uint32_t*>(watch.flag));
    __atomic_store_n(pointer, reinterpret_cast<uint64_t>(&never_executed), __ATOMIC_RELAXED);
}

}  // namespace parcast::recorder
