#include "recorder/function_calls.h"

#include <string.h>

#include "recorder/modules.h"
#include "recorder/recording.h"
#include "recorder/stream.h"
#include "recorder/system.h"

namespace parcast::recorder {
namespace {

void order_for_handlers() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}  // namespace

FunctionCalls* FunctionCalls::map() {
    auto* const calls = static_cast<FunctionCalls*>(map_memory(sizeof(FunctionCalls)));
    if (calls)
        calls->begin();
    return calls;
}

void FunctionCalls::unmap(FunctionCalls* calls) {
    recorder::unmap(calls, sizeof *calls);
}

void FunctionCalls::begin() {
    frames_[0].address = reinterpret_cast<void const*>(UINTPTR_MAX);
    stack_count_ = 1;
    stacks_[0].is_defined = true;
}

bool FunctionCalls::is_abandoned(Frame const& below, void const* function, void const* call_site,
                                 void const* frame) const {
    if (below.address != frame)
        return below.address < frame;
    return below.call_site != call_site || stacks_[below.stack].function == function;
}

void FunctionCalls::enter(void const* function, void const* call_site, void const* frame, uint32_t depth) {
    if (__builtin_expect(is_abandoned(frames_[depth_], function, call_site, frame), 0) && !on_signal_stack())
        while (is_abandoned(frames_[depth_], function, call_site, frame))
            --depth_;
    if (__builtin_expect(depth_ >= depth, 0)) {
        count_deeper();
        return;
    }
    uint32_t const stack = called_by(innermost(), function);
    ++stacks_[stack].calls;
    frames_[++depth_] = {frame, call_site, stack};
}

void FunctionCalls::exit(void const* function, void const* frame) {
    while (frames_[depth_].address < frame)
        --depth_;
    uint32_t depth = depth_;
    while (stacks_[frames_[depth].stack].function != function && frames_[depth].address == frame)
        --depth;
    if (depth > 0 && stacks_[frames_[depth].stack].function == function)
        depth_ = depth - 1;
}

uint32_t FunctionCalls::called_by(uint32_t parent, void const* function) {
    uint32_t const last = stacks_[parent].last_child;
    if (__builtin_expect(last != 0 && stacks_[last].function == function, 1))
        return last;
    uint32_t const stack = find_or_add(parent, function);
    stacks_[parent].last_child = static_cast<uint16_t>(stack);
    return stack;
}

uint32_t FunctionCalls::find_or_add(uint32_t parent, void const* function) {
    constexpr unsigned bits = 15;
    static_assert(table_size == 1u << bits);
    uint64_t const key = reinterpret_cast<uint64_t>(function) + parent * 0xc2b2ae3d27d4eb4fu;
    auto slot = static_cast<uint32_t>(key * 0x9e3779b97f4a7c15u >> (64 - bits));
    for (; table_[slot] != 0; slot = (slot + 1) % table_size) {
        Stack const& known = stacks_[table_[slot]];
        if (known.function == function && known.parent == parent)
            return table_[slot];
    }
    uint32_t const number = stack_count_++;
    table_[slot] = static_cast<uint16_t>(number);
    stacks_[number] = {function, 0, parent, 0, 0, 0, false, false};
    return number;
}

void FunctionCalls::renew() {
    void const* functions[most_call_depth + 1];
    for (uint32_t depth = 1; depth <= depth_; ++depth)
        functions[depth] = stacks_[frames_[depth].stack].function;
    touched_count_ = 0;
    memset(table_, 0, sizeof table_);
    memset(stacks_, 0, stack_count_ * sizeof(Stack));
    begin();
    for (uint32_t depth = 1; depth <= depth_; ++depth)
        frames_[depth].stack = called_by(frames_[depth - 1].stack, functions[depth]);
}

// The first time in a process, what calls cost is measured, which takes the watch on switches for itself: so
// the clock is read afterwards. What that took is time outside of functions.
FunctionCalls* Stream::begin_functions() {
    if (recording.call_depth == 0 || !recording.running)
        return nullptr;
    state_ = StreamState::writing;
    order_for_handlers();
    FunctionCalls* const calls = FunctionCalls::map();
    if (!calls)
        recording.call_depth = 0;
    if (calls && !__atomic_exchange_n(&recording.header->has_call_costs, 1u, __ATOMIC_RELAXED)) {
        measure_call_cost(*recording.header);
        current_stream = this;
    }
    functions_ = calls;
    if (calls && has_room())
        attend(true, 0);
    order_for_handlers();
    if (state_ == StreamState::writing)
        state_ = StreamState::open;
    return calls;
}

// False if nothing is recorded any more.
bool Stream::passes_function_boundary() {
    uint64_t const ticks = read_ticks();
    bool const switched = was_switched(watch_);
    if (__builtin_expect(!switched && ticks <= sync_due_ticks_, 1))
        functions_->run_until(ticks);
    else if (has_room())
        attend(switched, ticks);
    return state_ == StreamState::writing;
}

void Stream::enter_function(void const* function, void const* call_site, void const* frame) {
    FunctionCalls* calls = functions_;
    if (__builtin_expect(state_ != StreamState::open, 0))
        return;
    if (__builtin_expect(calls == nullptr, 0)) {
        calls = begin_functions();
        if (!calls || state_ != StreamState::open)
            return;
    }
    uint32_t const depth = recording.call_depth;
    if (calls->is_beyond(frame, depth)) {
        calls->count_deeper();
        return;
    }
    state_ = StreamState::writing;
    order_for_handlers();
    if (!passes_function_boundary())
        return;
    if (__builtin_expect(calls->is_full(), 0)) {
        write_functions(false);
        calls->renew();
    }
    calls->enter(function, call_site, frame, depth);
    order_for_handlers();
    if (state_ == StreamState::writing)
        state_ = StreamState::open;
}

void Stream::exit_function(void const* function, void const* frame) {
    FunctionCalls* const calls = functions_;
    if (__builtin_expect(state_ != StreamState::open || !calls, 0))
        return;
    if (calls->is_beyond(frame, recording.call_depth))
        return;
    state_ = StreamState::writing;
    order_for_handlers();
    if (!passes_function_boundary())
        return;
    calls->exit(function, frame);
    order_for_handlers();
    state_ = StreamState::open;
}

// The innermost one last. If the thread was switched out, what it took since it was looked at last is what
// the clock, which was read just now, shows beyond all others.
void Stream::write_functions(bool switched) {
    FunctionCalls& calls = *functions_;
    uint32_t const innermost = calls.innermost();
    for (uint32_t i = 0; i < calls.touched_count(); ++i) {
        uint32_t const number = calls.touched(i);
        FunctionCalls::Stack& stack = calls.stack(number);
        stack.is_touched = false;
        if (number != innermost)
            write_stack_time(number, no_flags);
    }
    calls.forget_touched();
    write_stack_time(innermost, no_flags);
    if (switched)
        write_stack_time(innermost, wire::flag_switched);
}

void Stream::write_stack_time(uint32_t number, uint64_t flags) {
    FunctionCalls::Stack& stack = functions_->stack(number);
    if (has_room())
        define_stack(number);
    if (has_room()) {
        next_[1] = stack.ticks;
        next_[2] = stack.calls | static_cast<uint64_t>(stack.deeper) << 32;
        __atomic_store_n(next_, wire::encode_stack(Kind::stack_time, flags, number), __ATOMIC_RELEASE);
        next_ += 3;
    }
    stack.ticks = 0;
    stack.calls = 0;
    stack.deeper = 0;
}

void Stream::define_stack(uint32_t number) {
    FunctionCalls::Stack& stack = functions_->stack(number);
    if (stack.is_defined)
        return;
    define_stack(stack.parent);
    if (!has_room())
        return;
    stack.is_defined = true;
    next_[1] = reinterpret_cast<uint64_t>(stack.function);
    next_[2] = stack.parent;
    __atomic_store_n(next_, wire::encode_stack(Kind::define_stack, no_flags, number), __ATOMIC_RELEASE);
    next_ += 3;
    expect_module_of(stack.function);
}

}  // namespace parcast::recorder
