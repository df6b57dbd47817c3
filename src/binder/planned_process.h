// Binds the threads of the host program as its plan says: `parcast run --plan`. Like the recorder, the binder
// depends on libc alone, allocates nothing by malloc, and leaves errno as it was.
//
// 1. The plan is for the process that loaded the binder first, through all programs that it becomes. Children
//    get the CPUs and priorities that they would have without it.
// 2. What the plan says wins over what the program sets: such calls are checked, kept in mind, and answered
//    with success. Who asks for the CPUs of a planned thread hears those that it would have without the plan,
//    since programs create as many threads as they see CPUs.
// 3. A request that the kernel refuses is counted, and the program goes on.

#pragma once

#include "binder/thread_state.h"

namespace parcast::binder {

// Whether this is the process that the plan is for. Its threads that are not known (raw clone, the C
// library's own) are not planned.
bool is_planned();
// The calling thread's; null: it is not planned, or this is another process.
ThreadState* this_state();
// That of a thread of this process, as system calls name it: 0 is the calling one.
ThreadState* state_of(uint32_t kernel_id);
uint32_t kernel_id_of(pthread_t thread);
// Of `wanted` those that the program may use; if it may use none of them, all of `wanted`. REQUIRES:
// is_planned().
Mask usable_cpus(Mask const& wanted);

// In the creator, before and after. Null: the new thread is not planned.
ThreadState* announce_thread(void* routine, void* argument);
void retract_thread(ThreadState* state);
// In the new thread.
void begin_thread(ThreadState* state);

// The thread got its first name.
void plan_named_thread(uint32_t kernel_id, char const* name);

// The process is about to forbid itself system calls.
void expect_sandbox();

}  // namespace parcast::binder
