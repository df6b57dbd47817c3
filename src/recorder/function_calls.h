// What the functions of one thread took since its last event, for programs that are built with
// -finstrument-functions: gcc and clang then call __cyg_profile_func_enter, _exit (calls/instrumented.cpp).
//
// A call costs no word: a *stack* is a function together with the stack that called it, and its ticks and
// calls are summed up until the next event of the thread, or for a millisecond. So a loop of a million calls
// between two locks takes a few words, and the trace has what the work before the second lock consists of.
//
//     frames_   | 0: outside | main | solve | add |      addresses of the hooks' frames fall
//     stacks_     0            1      2       3          parents, ticks, calls
//
// The stack is kept right by frame addresses: who is left by an exception, longjmp, pthread_exit or
// cancellation never says so. A frame below that of the function which enters or leaves now is gone. With two
// at the same address, the upper one is inlined into the lower one, if both have the same caller; else the
// lower one is gone. Handlers on a signal stack of their own leave all frames alone.
// Not seen: coroutines. A change to a stack at higher addresses loses the functions of the one before, until
// they return.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"

namespace parcast::recorder {

inline constexpr uint32_t default_call_depth = 16;
inline constexpr uint32_t most_call_depth = 64;

class FunctionCalls {
public:
    // In memory of its own; nullptr if there is none.
    static FunctionCalls* map();
    static void unmap(FunctionCalls* calls);

    uint32_t innermost() const { return frames_[depth_].stack; }

    // The innermost function has run up to here.
    void run_until(uint64_t ticks) {
        Stack& stack = stacks_[innermost()];
        if (!stack.is_touched)
            touch(stack);
        stack.ticks += ticks > last_ticks_ ? ticks - last_ticks_ : 0;
        last_ticks_ = ticks;
    }
    // What came before is no time of a function, or is written already.
    void go_on_from(uint64_t ticks) { last_ticks_ = ticks; }

    // Whether a hook with this frame is called from below the deepest function that is distinguished.
    bool is_beyond(void const* frame, uint32_t depth) const {
        return depth_ >= depth && frame < frames_[depth_].address;
    }
    void count_deeper() { ++stacks_[innermost()].deeper; }

    // REQUIRES: !is_full().
    void enter(void const* function, void const* call_site, void const* frame, uint32_t depth);
    void exit(void const* function, void const* frame);
    void leave_all() { depth_ = 0; }

    // No new stack may fit. Then renew() forgets all but those of the frames. REQUIRES: nothing is touched.
    bool is_full() const { return stack_count_ == wire::most_stacks; }
    void renew();

    // For the stream, which writes and clears them.
    struct Stack {
        void const* function;
        uint64_t ticks;
        uint32_t parent;
        uint32_t calls;
        uint32_t deeper;
        uint16_t last_child;
        bool is_touched;
        bool is_defined;
    };
    Stack& stack(uint32_t number) { return stacks_[number]; }
    uint32_t touched_count() const { return touched_count_; }
    uint32_t touched(uint32_t i) const { return touched_[i]; }
    void forget_touched() { touched_count_ = 0; }

private:
    struct Frame {
        void const* address;
        void const* call_site;
        uint32_t stack;
    };
    static constexpr uint32_t table_size = 2 * wire::most_stacks;

    void begin();
    void touch(Stack& stack) {
        stack.is_touched = true;
        touched_[touched_count_++] = static_cast<uint16_t>(&stack - stacks_);
    }
    bool is_abandoned(Frame const& below, void const* function, void const* call_site,
                      void const* frame) const;
    uint32_t called_by(uint32_t parent, void const* function);
    uint32_t find_or_add(uint32_t parent, void const* function);

    uint64_t last_ticks_;
    uint32_t depth_;  // of the innermost frame; 0: outside
    uint32_t stack_count_;
    uint32_t touched_count_;
    Frame frames_[most_call_depth + 1];
    uint16_t touched_[wire::most_stacks];
    uint16_t table_[table_size];  // by parent and function; 0: free
    Stack stacks_[wire::most_stacks];
};
static_assert(sizeof(FunctionCalls::Stack) == 32);

// Measures what calls of instrumented functions cost here, once a process. REQUIRES: the calling thread
// writes no event.
void measure_call_cost(wire::Header& header);

}  // namespace parcast::recorder
