// What a hook writes with: the stream of events of the calling thread (layout: wire/record.h).
//
//     PARCAST_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
//         Stream* const stream = this_stream();
//         if (!stream)
//             return real_mutex_lock(mutex);
//         int error = real_mutex_trylock(mutex);
//         if (error != EBUSY) {
//             stream->event<Kind::mutex_lock>(mutex, call_site(), flags_of_error(error));
//             return error;
//         }
//         stream->blocked<Kind::mutex_lock>(mutex, call_site());
//         error = real_mutex_lock(mutex);
//         stream->resumed(0, flags_of_error(error));
//         return error;
//     }
//
// Rules for hooks:
// 1. No allocation, no lock, no output, no object with a destructor (cancellation unwinds our frames).
// 2. What acquires is recorded after the real call, what releases before it (then `amend` it), so that
//    ticks order a release before the acquisition that it allows.
// 3. errno is the host's: nothing here changes it.
//
// Invariants: (1) A stream belongs to one thread at a time. (2) Whole events only, at any instruction.
// (3) Between blocked() and resumed() the stream takes no other event: one from a signal handler is
// counted as lost, unless the call waits for signals; one after the host has left the call by
// cancellation or siglongjmp closes it first.
// (4) Every function may be called after a failure: it then counts a lost event and does nothing else.
//
// Cost: about 13 ns an event, most of it rdtsc, and 4 ns a release that is not measured; with a switch of the
// thread since the last event the thread's CPU clock is read as well (0.2 to 1.1 us). After a wait that is
// done at one wait in eight if they follow each other quickly: what they took together is known, and no
// segment of work is touched by it. I/O that blocked for longer than 50 us looks up the thread's run delay as
// well (2 us), also at its beginning if the thread was switched out since it was looked up last.

#pragma once

#include "recorder/cpu_clock.h"
#include "recorder/kept_scheduling.h"
#include "wire/record.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

namespace parcast::recorder {

using wire::Kind;

inline constexpr uint64_t no_flags = 0;

constexpr uint64_t flags_of_error(int error) {
    if (error == 0)
        return no_flags;
    return error == ETIMEDOUT ? wire::flag_timed_out : wire::flag_failed;
}

// The place in the host that called the hook which calls this.
[[gnu::always_inline]] inline void const* call_site() {
    return __builtin_return_address(0);
}

// An object for calls that concern none (threads, processes), and the object of a descriptor.
inline constexpr void const* no_object = nullptr;
inline void const* descriptor_object(int descriptor) {
    return descriptor < 0 ? nullptr : reinterpret_cast<void const*>(static_cast<uintptr_t>(descriptor) + 1);
}

// An event that was written, for `amend`: nothing if it was lost.
class Mark {
public:
    constexpr Mark() = default;
    constexpr explicit Mark(uint64_t* word) : word_(word) {}

    // For events written before the call: adds flags, and replaces the last payload word.
    void amend_flags(uint64_t flags) const {
        if (word_ && flags)
            *word_ |= flags << 40;
    }
    void amend_payload(uint64_t value) const {
        if (word_)
            word_[wire::payload_words(wire::kind_of(*word_))] = value;
    }

private:
    uint64_t* word_ = nullptr;
};

// A direct-mapped cache from addresses to slots; what the file knows a slot as is what is here. Objects and
// sites side by side, and few slots until they are crowded: a short thread touches one page of its stream.
struct Slot {
    void const* object;
    void const* site;
};

// How a stream comes to record, and what it does with an event meanwhile.
enum class StreamState : uint32_t {
    silent,     // before its thread began or after it ended: events are dropped
    open,       // ready
    writing,    // inside an event: another one comes from a signal handler, and is lost
    in_call,    // between blocked() and resumed()
    exhausted,  // no more room in the file: events are counted as lost
};

// How a mutex is held that is locked at one call site. Direct-mapped by the slot of that site.
struct Hold {
    void const* release_site = nullptr;  // of the last measured release that followed its lock at once
    uint16_t lock_site_slot = 0;
    uint16_t unmeasured_left = 0;  // releases that need not be measured
};

// What a thread is to run, and the std::thread state object that it was given, if any.
struct StartRecord {
    void* routine = nullptr;
    void* argument = nullptr;
    void const* state = nullptr;
    void const* bound_at = nullptr;  // the call that created it on processors of its own
};

class FunctionCalls;
struct OnceCall;
struct OpenmpTeam;

// Objects of OpenMP teams that this thread's recording has introduced: openmp_regions.cpp.
struct OpenmpAnnounced {
    uint32_t generation;
    uint32_t team_size;
    uint32_t members;
};

class alignas(wire::page_bytes) Stream {
public:
    // An event of a call that did not wait. Payload as wire::payload_words(kind) demands.
    template <Kind kind, class... Words>
    [[gnu::always_inline]] Mark event(void const* object, void const* site, uint64_t flags,
                                      Words... payload) {
        static_assert(sizeof...(payload) == wire::payload_words(kind), "wire/record.h names the payload");
        uint64_t const words[sizeof...(payload) + 1] = {static_cast<uint64_t>(payload)...};
        return write(kind, flags, object, site, words, sizeof...(payload), __builtin_frame_address(0));
    }

    // The release of a mutex. One in eight is measured where mutexes are locked and released in quick
    // succession, chosen at random lest a pattern of the program be missed: the reader knows by those how
    // long the others were held. The others change the event of their lock, and write none.
    [[gnu::always_inline]] Mark release(void const* mutex, void const* site) {
        if (leave_unmeasured(mutex, site))
            return {};
        return write_release(mutex, site, __builtin_frame_address(0));
    }

    // Arrival at a call that waits or does I/O. Exactly one of resumed() and returned() follows.
    template <Kind kind, class... Words>
    [[gnu::always_inline]] void blocked(void const* object, void const* site, Words... payload) {
        static_assert(sizeof...(payload) == wire::payload_words(kind), "wire/record.h names the payload");
        uint64_t const words[sizeof...(payload) + 1] = {static_cast<uint64_t>(payload)...};
        enter_call(kind, object, site, words, sizeof...(payload), __builtin_frame_address(0));
    }

    // Return from it. If the thread was switched out meanwhile, returned() reads its CPU clock: for calls
    // that work for the program (I/O, say), whose own CPU time counts. resumed() may leave that to a later
    // one: for calls that do nothing but wait.
    // Both only end the call that their own hook began: that of a signal handler was lost when it arrived.
    [[gnu::always_inline]] void resumed(uint64_t result, uint64_t flags) {
        if (__builtin_frame_address(0) == call_frame_)
            leave_call(result, flags, Inside::waiting);
    }
    [[gnu::always_inline]] void returned(uint64_t result, uint64_t flags) {
        if (__builtin_frame_address(0) == call_frame_)
            leave_call(result, flags, Inside::work);
    }

    // Before a lock is tried: a switch until now is dealt with while the lock is not held.
    [[gnu::always_inline]] void settle() {
        if (__builtin_expect(was_switched(watch_), 0))
            read_clock_early();
    }

    // The call that the thread waits in has it work for the host meanwhile: it counts as failed.
    void leave_call_for_work() {
        if (state_ == StreamState::in_call)
            close_abandoned_call();
    }

    // Before blocked(): the call waits for a signal, so that an event of a handler ends it.
    void expect_handler() { ends_by_handler_ = true; }

    // For a library function that calls another hooked one (std::thread::join): lends its own caller to
    // the inner hook, which asks with borrowed_site(own).
    void lend_site(void const* site) { lent_site_ = site; }
    void const* borrowed_site(void const* own) {
        void const* const site = lent_site_ ? lent_site_ : own;
        lent_site_ = nullptr;
        return site;
    }

    // The std::thread state object that the next thread to be created will run.
    void lend_state(void const* state) { lent_state_ = state; }
    void const* take_lent_state() {
        void const* const state = lent_state_;
        lent_state_ = nullptr;
        return state;
    }

    // A wait often yields a few times before it blocks: std::atomic::wait, and with it barrier, latch and
    // counting_semaphore of libstdc++, 4 times, Rust's locks up to 7. On the one CPU such a yield runs the
    // others until what the thread waits for has come, so it would never block, and nobody would know what
    // it waited for. The first yields in a row therefore return at once, which sched_yield may do, and the
    // wait goes on to block. A thread whose rows of yields are not followed by a call that blocks is polling:
    // its yields let others run, as they must on one CPU.
    bool next_yield_lets_others_run();
    void end_yield() { yields_end_ = next_; }

    // False inside an event or a call, and when nothing is recorded any more.
    bool accepts_events() const { return state_ == StreamState::open; }

    // For functions that are built with -finstrument-functions: function_calls.h. `frame` is the hook's.
    void enter_function(void const* function, void const* call_site, void const* frame);
    void exit_function(void const* function, void const* frame);

private:
    friend class StreamPool;
    friend struct ThreadLife;
    friend class ScratchStream;

    // What the CPU time inside a call is.
    enum class Inside : uint8_t { work, waiting };

    void start_new_file();

    // `frame` is the stack frame of the hook: by it, admit() tells a signal handler from a call left.
    Mark write(Kind kind, uint64_t flags, void const* object, void const* site, uint64_t const* payload,
               size_t payload_count, void const* frame);
    void enter_call(Kind kind, void const* object, void const* site, uint64_t const* payload,
                    size_t payload_count, void const* frame);
    void leave_call(uint64_t result, uint64_t flags, Inside inside);

    bool is_plain_lock_of(void const* mutex, uint64_t word) const {
        return (word >> 32 & 0xfff) == static_cast<uint64_t>(Kind::mutex_lock) &&
               slots_[wire::object_slot_of(word)].object == mutex;
    }
    bool follows_reading(uint64_t const* word) const;
    bool leave_unmeasured(void const* mutex, void const* site);
    Mark write_release(void const* mutex, void const* site, void const* frame);

    Mark lose_event();
    bool admit(void const* frame);
    bool call_was_abandoned(void const* frame) const;
    void close_abandoned_call();
    bool has_room();
    bool take_chunk();
    uint64_t sync(uint64_t flags);  // the ticks when it was done; the recording ends if there is no clock
    void note_run_delay(uint64_t flags);
    void note_run_delay_at_return(uint64_t ticks);
    bool wants_run_delay_at_arrival(Kind kind);
    uint64_t attend(bool switched, uint64_t ticks);  // the ticks afterwards
    void read_clock_early();
    bool may_leave_unread(uint64_t ticks) const;
    bool blocked_after_last_yields() const;
    void define(Kind kind, unsigned object, unsigned site, void const* address);
    FunctionCalls* begin_functions();
    bool passes_function_boundary();
    void write_functions(bool switched);
    void write_stack_time(uint32_t stack, uint64_t flags);
    void define_stack(uint32_t stack);
    unsigned object_slot(void const* address);
    unsigned site_slot(void const* address);
    unsigned slot_of(void const* address) const;
    void note_eviction();
    uint64_t* append(Kind kind, uint64_t flags, unsigned object, unsigned site, uint64_t const* payload,
                     size_t payload_count, uint64_t ticks);

    // Touched by every event.
    StreamState volatile state_ = StreamState::silent;
    SwitchWatch watch_ = {};
    uint64_t* next_ = nullptr;          // where the next word goes
    uint64_t* last_word_ = nullptr;     // of the last event or reading of the clock
    uint64_t* reading_end_ = nullptr;   // behind the last reading
    uint64_t* volatile end_ = nullptr;  // of the chunk; close() moves it to stop another thread's stream
    uint64_t last_ticks_ = 0;
    uint64_t attention_ticks_ = 0;  // from then on an event needs more: sync_due_ticks_, or 0 with functions_
    unsigned slot_bits_more_ = 0;
    unsigned evictions_ = 0;
    static constexpr unsigned hold_count = 64;
    Hold holds_[hold_count] = {};

    uint64_t sync_due_ticks_ = 0;
    FunctionCalls* functions_ = nullptr;  // once the thread, or one before it, has called one

    bool run_delay_is_known_ = false;  // the thread was not switched out since it was noted last
    bool call_waits_outside_ = false;  // for a device or another process
    bool call_has_run_delay_ = false;  // it was known when the thread arrived at the call
    unsigned run_delays_in_vain_ = 0;  // calls in a row at whose arrival it was wanted, and that were brief
    unsigned unread_waits_ = 0;        // since the CPU clock was read last
    bool has_read_a_wait_ = false;     // so that the reader knows what one takes
    uint64_t const* yields_end_ = nullptr;  // after the last yield
    unsigned yields_in_a_row_ = 0;
    unsigned vain_rows_ = 0;  // rows of yields, one after the other, that no blocking call followed

    void const* lent_site_ = nullptr;
    void const* lent_state_ = nullptr;
    void const* call_frame_ = nullptr;   // of the hook that is between blocked() and resumed()
    void const* call_return_ = nullptr;  // and where that hook returns to
    bool ends_by_handler_ = false;       // that call
    uint32_t chunk_sequence_ = 0;
    uint32_t id_ = 0;          // ChunkHeader::stream
    uint32_t generation_ = 0;  // of the recording that the tables and the chunk belong to
    uint32_t pool_index_ = 0;
    uint32_t next_free_ = 0;  // in the pool
    uint32_t thread_number_ = 0;
    uint32_t kernel_id_ = 0;   // of its thread
    uint32_t end_rounds_ = 0;  // of the thread's key destructor

public:
    StartRecord start;                        // threads.cpp: what the creator hands to the new thread
    OnceCall* once_call = nullptr;            // once.cpp: the innermost pthread_once of this thread
    OpenmpTeam const* openmp_team = nullptr;  // the recorded region that this thread runs a part of
    OpenmpAnnounced openmp_announced = {};
    KeptScheduling scheduling = {};  // calls/scheduling.cpp: of its thread

private:
    Slot slots_[wire::slot_count] = {};
};

// Null while the thread does not record; initial-exec, so that reading it is one instruction and never
// allocates.
extern constinit thread_local Stream* current_stream;

// Begins to record a thread that no hooked function created. nullptr if this process is not recorded, and for
// a thread that has no stream for good: it has ended but for the last of its destructors, or there was no
// memory.
Stream* attach_stream();

// The stream of the calling thread; nullptr: just forward.
inline Stream* this_stream() {
    Stream* const stream = current_stream;
    return __builtin_expect(stream != nullptr, 1) ? stream : attach_stream();
}

}  // namespace parcast::recorder
