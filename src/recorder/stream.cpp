#include "recorder/stream.h"

#include <string.h>

#include "recorder/function_calls.h"
#include "recorder/modules.h"
#include "recorder/raw_file.h"
#include "recorder/recording.h"

namespace parcast::recorder {
namespace {

// The most words that one event needs: an abandoned call closed, a sync, a time base, two definitions.
constexpr ptrdiff_t room_words = 36;

void order_for_signal_handlers() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

constexpr unsigned first_slot_bits = 7;
constexpr unsigned most_slot_bits = 10;
constexpr unsigned evictions_until_more_slots = 16;
static_assert(wire::slot_count == 1u << most_slot_bits);

// Every so often, for what a wait takes varies; and more rarely would save nothing that could be measured.
constexpr unsigned most_unread_waits = 7;

// Where the function with this frame returns to: above the saved frame pointer.
void const* return_address_in(void const* frame) {
    return static_cast<void const* const*>(frame)[1];
}

// More yields in a row than any known lock makes before it blocks.
constexpr unsigned longest_row_of_yields = 16;
constexpr unsigned most_vain_rows = 4;

// Short threads are many: they begin with a page. Long ones get what keeps the allocations rare.
uint16_t pages_of_chunk(uint32_t sequence) {
    uint32_t const pages = sequence < 16 ? 1u << sequence : wire::most_chunk_pages;
    return static_cast<uint16_t>(pages < wire::most_chunk_pages ? pages : wire::most_chunk_pages);
}

bool is_bookkeeping(Kind kind) {
    return kind == Kind::define_object || kind == Kind::define_site || kind == Kind::time_base ||
           kind == Kind::cpu_sync || kind == Kind::define_stack || kind == Kind::stack_time ||
           kind == Kind::run_delay;
}

bool waits_outside(Kind kind) {
    return kind == Kind::input || kind == Kind::output || kind == Kind::poll || kind == Kind::open_close ||
           kind == Kind::sync || kind == Kind::wait_child;
}

// The others' time does not matter in a call that took a twentieth of a millisecond.
constexpr uint64_t brief_calls_in_a_millisecond = 20;

// A thread that does brief I/O between waits for other threads would look up its run delay in vain each time.
constexpr unsigned most_in_vain = 4;
constexpr unsigned calls_between_tries = 16;

}  // namespace

uint64_t* Stream::append(Kind kind, uint64_t flags, unsigned object, unsigned site, uint64_t const* payload,
                         size_t payload_count, uint64_t ticks) {
    // A counter that differs between processors may run back.
    uint64_t delta = ticks > last_ticks_ ? ticks - last_ticks_ : 0;
    if (__builtin_expect(delta > UINT32_MAX, 0)) {
        next_[1] = ticks;
        __atomic_store_n(next_, wire::encode(Kind::time_base, 0, 0, 0, 0), __ATOMIC_RELEASE);
        next_ += 2;
        delta = 0;
        last_ticks_ = ticks;
    }
    last_ticks_ += delta;
    uint64_t* const word = next_;
    for (size_t i = 0; i < payload_count; ++i)
        word[i + 1] = payload[i];
    __atomic_store_n(word, wire::encode(kind, flags, object, site, static_cast<uint32_t>(delta)),
                     __ATOMIC_RELEASE);
    next_ = word + 1 + payload_count;
    last_word_ = word;
    return word;
}

// Slot 0 is none. Addresses differ mostly in their middle bits, which the multiplication spreads.
unsigned Stream::slot_of(void const* address) const {
    uint64_t const spread = reinterpret_cast<uint64_t>(address) * 0x9e3779b97f4a7c15u;
    auto const slot = static_cast<unsigned>(spread >> (64 - first_slot_bits - slot_bits_more_));
    return slot == 0 ? 1 : slot;
}

void Stream::note_eviction() {
    if (++evictions_ == evictions_until_more_slots)
        slot_bits_more_ = most_slot_bits - first_slot_bits;
}

void Stream::define(Kind kind, unsigned object, unsigned site, void const* address) {
    next_[1] = reinterpret_cast<uint64_t>(address);
    __atomic_store_n(next_, wire::encode(kind, 0, object, site, 0), __ATOMIC_RELEASE);
    next_ += 2;
}

unsigned Stream::object_slot(void const* address) {
    if (!address)
        return 0;
    unsigned const slot = slot_of(address);
    void const*& known = slots_[slot].object;
    if (__builtin_expect(known != address, 0)) {
        if (known)
            note_eviction();
        known = address;
        define(Kind::define_object, slot, 0, address);
    }
    return slot;
}

unsigned Stream::site_slot(void const* address) {
    if (!address)
        return 0;
    unsigned const slot = slot_of(address);
    void const*& known = slots_[slot].site;
    if (__builtin_expect(known != address, 0)) {
        if (known)
            note_eviction();
        known = address;
        define(Kind::define_site, 0, slot, address);
        expect_module_of(address);
        holds_[slot % hold_count].unmeasured_left = 0;
    }
    return slot;
}

// Behind a reading of the clock, and the words that define its object and site: its delta says nothing of
// what came before. Others so near count as such, too.
bool Stream::follows_reading(uint64_t const* word) const {
    constexpr uintptr_t most_bytes = 4 * sizeof *word;
    return reinterpret_cast<uintptr_t>(word) - reinterpret_cast<uintptr_t>(reading_end_) <= most_bytes;
}

// Read once: a signal handler may record events meanwhile. It has them between the two calls, but after both
// in the recording.
bool Stream::leave_unmeasured(void const* mutex, void const* site) {
    uint64_t* const word = __atomic_load_n(&last_word_, __ATOMIC_RELAXED);
    if (!word || state_ != StreamState::open || functions_ || follows_reading(word))
        return false;
    uint64_t const lock = __atomic_load_n(word, __ATOMIC_RELAXED);
    unsigned const lock_site_slot = wire::site_slot_of(lock);
    Hold& hold = holds_[lock_site_slot % hold_count];
    uint16_t const left = __atomic_load_n(&hold.unmeasured_left, __ATOMIC_RELAXED);
    if (left == 0 || hold.lock_site_slot != lock_site_slot || hold.release_site != site ||
        !is_plain_lock_of(mutex, lock) || wire::delta_of(lock) >= recording.brief_ticks ||
        was_switched(watch_)) {
        return false;
    }
    hold.unmeasured_left = static_cast<uint16_t>(left - 1);
    constexpr uint64_t other_kind =
        static_cast<uint64_t>(Kind::mutex_lock) ^ static_cast<uint64_t>(Kind::mutex_lock_unlock);
    __atomic_store_n(word, lock ^ other_kind << 32, __ATOMIC_RELEASE);
    return true;
}

Mark Stream::write_release(void const* mutex, void const* site, void const* frame) {
    uint64_t* const before = last_word_;
    Mark const mark = write(Kind::mutex_unlock, no_flags, mutex, site, nullptr, 0, frame);
    if (!before || last_word_ != before + 1 || !is_plain_lock_of(mutex, *before) || functions_)
        return mark;
    bool const is_brief = wire::delta_of(*last_word_) < recording.brief_ticks;
    unsigned const lock_site_slot = wire::site_slot_of(*before);
    constexpr uint64_t fewest = 4;  // and up to 7 more
    uint64_t const left = is_brief ? fewest + (last_ticks_ * 0x9e3779b97f4a7c15u >> 61) : 0;
    holds_[lock_site_slot % hold_count] = {site, static_cast<uint16_t>(lock_site_slot),
                                           static_cast<uint16_t>(left)};
    return mark;
}

uint64_t Stream::sync(uint64_t flags) {
    uint64_t cpu_ns = 0;
    uint64_t ticks = 0;
    uint64_t after = 0;
    // Armed before the clock is read: a switch after the reading shows at the next event. One between
    // the two readings would pair them wrongly, so they are repeated.
    // The kernel likes to take the CPU away at the end of a system call, such as the reading: that is a
    // switch as well.
    for (int attempt = 0; attempt < 3; ++attempt) {
        if (was_switched(watch_)) {
            flags |= wire::flag_switched;
            run_delay_is_known_ = false;
        }
        arm(watch_, recording.clock);
        uint64_t const before = read_ticks();
        cpu_ns = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
        after = read_ticks();
        ticks = before + (after - before) / 2;
        if (!was_switched(watch_) || always_switched(watch_))
            break;
    }
    if (cpu_ns == 0)
        cut_recording(wire::Ending::clock_failed);
    else
        append(Kind::cpu_sync, flags, 0, 0, &cpu_ns, 1, ticks);
    reading_end_ = next_;
    sync_due_ticks_ = ticks + recording.ticks_per_millisecond;
    attention_ticks_ = functions_ ? 0 : sync_due_ticks_;
    unread_waits_ = 0;
    return after;
}

bool Stream::wants_run_delay_at_arrival(Kind kind) {
    if (!waits_outside(kind) || run_delay_is_known_ || recording.lacks_run_delay)
        return false;
    return ++run_delays_in_vain_ <= most_in_vain || run_delays_in_vain_ % calls_between_tries == 0;
}

// Inside a call, which pays for it. What was read may have the delay by a switch meanwhile, or not.
void Stream::note_run_delay(uint64_t flags) {
    if (!end_)
        return;
    uint64_t const begin = read_ticks();
    int64_t const delay_ns = read_run_delay_ns();
    bool const is_kept = always_switched(watch_) || !was_switched(watch_);
    run_delay_is_known_ = delay_ns >= 0 && is_kept;
    if (delay_ns < 0) {
        recording.lacks_run_delay = delay_ns != -EMFILE && delay_ns != -ENFILE;
        return;
    }
    next_[1] = static_cast<uint64_t>(delay_ns);
    __atomic_store_n(next_, wire::encode(Kind::run_delay, flags, 0, 0, 0), __ATOMIC_RELEASE);
    next_ += 2;
    if (is_kept)
        count_shared_cost((read_ticks() - begin) * 1'000'000 / recording.ticks_per_millisecond);
}

// Before the CPU clock is read: what it takes is inside the call, and a switch meanwhile shows there.
void Stream::note_run_delay_at_return(uint64_t ticks) {
    if (ticks < last_ticks_ + recording.ticks_per_millisecond / brief_calls_in_a_millisecond)
        return;
    run_delays_in_vain_ = 0;
    if (!call_has_run_delay_)
        return;
    arm(watch_, recording.clock);
    note_run_delay(wire::flag_blocked);
}

// What a hypervisor steals is in the ticks, but not in the CPU clock: hence a sync now and then. With
// functions_, every event divides the time before it. There may be no room afterwards.
uint64_t Stream::attend(bool switched, uint64_t ticks) {
    if (functions_ && !switched)
        functions_->run_until(ticks);
    if (switched || ticks > sync_due_ticks_)
        ticks = sync(switched ? wire::flag_switched : no_flags);
    if (functions_) {
        write_functions(switched);
        functions_->go_on_from(ticks);
    }
    return ticks;
}

// The reader finds what unread waits took from a reading, if it knows what one takes (has_read_a_wait_), or
// if the segment that the reading ends was not switched. Few of them, so that it does not matter if it errs.
bool Stream::may_leave_unread(uint64_t ticks) const {
    return has_read_a_wait_ && unread_waits_ < most_unread_waits && ticks <= sync_due_ticks_ &&
           !always_switched(watch_);
}

void Stream::read_clock_early() {
    if (state_ != StreamState::open || always_switched(watch_))
        return;
    state_ = StreamState::writing;
    order_for_signal_handlers();
    if (has_room())
        attend(true, 0);
    order_for_signal_handlers();
    if (state_ == StreamState::writing)
        state_ = StreamState::open;
}

// Reads what the stream itself wrote, so that no other event pays for it. True if that is gone with its
// chunk.
bool Stream::blocked_after_last_yields() const {
    auto const* word = yields_end_;
    if (!word)
        return true;
    while (word < next_ && is_bookkeeping(wire::kind_of(*word)))
        word += 1 + wire::payload_words(wire::kind_of(*word));
    return word >= next_ || (wire::flags_of(*word) & wire::flag_blocked);
}

bool Stream::next_yield_lets_others_run() {
    if (next_ != yields_end_) {
        vain_rows_ = blocked_after_last_yields() ? 0 : vain_rows_ + 1;
        yields_in_a_row_ = 0;
    }
    return ++yields_in_a_row_ > longest_row_of_yields || vain_rows_ >= most_vain_rows;
}

bool Stream::has_room() {
    return __builtin_expect(end_ - next_ >= room_words, 1) || take_chunk();
}

bool Stream::take_chunk() {
    if (!recording.running) {
        if (recording.is_cut)
            state_ = StreamState::exhausted;
        return false;
    }
    // What the first one takes is part of starting the thread; no event is to pay for it.
    bool const is_first = chunk_sequence_ == 0;
    uint64_t const begin_ns = is_first ? 0 : read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    uint16_t const pages = pages_of_chunk(chunk_sequence_);
    wire::ChunkHeader* const chunk =
        allocate_chunk(*recording.header, wire::ChunkKind::events, pages, id_, chunk_sequence_);
    if (!chunk) {
        cut_full_recording();
        state_ = StreamState::exhausted;
        return false;
    }
    ++chunk_sequence_;
    next_ = reinterpret_cast<uint64_t*>(chunk + 1);
    end_ = next_ + wire::chunk_words(pages);
    yields_end_ = nullptr;
    if (begin_ns != 0)
        count_memory_cost(begin_ns, read_clock_ns(CLOCK_THREAD_CPUTIME_ID));
    return true;
}

void Stream::start_new_file() {
    // A stream that never recorded is zero: clearing it would touch all its pages.
    if (chunk_sequence_ != 0) {
        memset(slots_, 0, sizeof slots_);
        memset(static_cast<void*>(holds_), 0, sizeof holds_);
    }
    generation_ = recording.generation;
    id_ = __atomic_fetch_add(&recording.header->stream_count, 1, __ATOMIC_RELAXED);
    chunk_sequence_ = 0;
    next_ = nullptr;
    end_ = nullptr;
    last_ticks_ = 0;
    last_word_ = nullptr;
    reading_end_ = nullptr;
    yields_end_ = nullptr;
    slot_bits_more_ = 0;
    evictions_ = 0;
    if (functions_)
        functions_->renew();
    state_ = StreamState::silent;
}

bool Stream::admit(void const* frame) {
    if (state_ == StreamState::in_call && !end_)
        leave_call(0, no_flags, Inside::waiting);
    if (state_ == StreamState::in_call && ends_by_handler_)
        leave_call(0, no_flags, Inside::work);
    if (state_ == StreamState::in_call && call_was_abandoned(frame))
        close_abandoned_call();
    if (state_ == StreamState::open)
        return true;
    if (state_ != StreamState::silent)
        count_lost_event();
    return false;
}

// A signal handler runs below the frame of the call that it interrupts, and leaves that frame alone.
bool Stream::call_was_abandoned(void const* frame) const {
    if (on_signal_stack())
        return false;
    return frame >= call_frame_ || return_address_in(call_frame_) != call_return_;
}

void Stream::close_abandoned_call() {
    leave_call(0, wire::flag_failed, Inside::waiting);
}

Mark Stream::lose_event() {
    if (state_ == StreamState::exhausted)
        count_lost_event();
    else
        state_ = StreamState::silent;
    return {};
}

Mark Stream::write(Kind kind, uint64_t flags, void const* object, void const* site, uint64_t const* payload,
                   size_t payload_count, void const* frame) {
    if (__builtin_expect(state_ != StreamState::open, 0) && !admit(frame))
        return {};
    state_ = StreamState::writing;
    order_for_signal_handlers();
    if (!has_room())
        return lose_event();
    // The ticks are read before the flag: while it is unset, their difference is CPU time to the last one.
    uint64_t ticks = read_ticks();
    bool const switched = was_switched(watch_);
    if (__builtin_expect(switched || ticks > attention_ticks_, 0)) {
        ticks = attend(switched, ticks);
        if (!has_room())
            return lose_event();
    }
    unsigned const object_at = object_slot(object);
    unsigned const site_at = site_slot(site);
    uint64_t* const word = append(kind, flags, object_at, site_at, payload, payload_count, ticks);
    order_for_signal_handlers();
    state_ = StreamState::open;
    return Mark(word);
}

void Stream::enter_call(Kind kind, void const* object, void const* site, uint64_t const* payload,
                        size_t payload_count, void const* frame) {
    write(kind, wire::flag_blocked, object, site, payload, payload_count, frame);
    if (state_ != StreamState::open)
        return;
    call_frame_ = frame;
    call_return_ = return_address_in(frame);
    call_waits_outside_ = waits_outside(kind);
    if (wants_run_delay_at_arrival(kind)) {
        state_ = StreamState::writing;
        order_for_signal_handlers();
        note_run_delay(no_flags);
    }
    call_has_run_delay_ = run_delay_is_known_;
    order_for_signal_handlers();
    state_ = StreamState::in_call;
}

void Stream::leave_call(uint64_t result, uint64_t flags, Inside inside) {
    if (state_ != StreamState::in_call)
        return;
    ends_by_handler_ = false;
    if (!end_) {  // closed while the call waited
        state_ = recording.is_cut ? StreamState::exhausted : StreamState::silent;
        return;
    }
    state_ = StreamState::writing;
    order_for_signal_handlers();
    uint64_t ticks = read_ticks();
    bool const switched = was_switched(watch_);
    if (switched && inside == Inside::waiting && may_leave_unread(ticks)) {
        // Armed before the ticks are read: a switch between the two shows at the next event.
        arm(watch_, recording.clock);
        ticks = read_ticks();
        flags |= wire::flag_switched;
        ++unread_waits_;
        run_delay_is_known_ = false;
    } else if (switched || ticks > sync_due_ticks_) {
        if (switched && call_waits_outside_)
            note_run_delay_at_return(ticks);
        ticks = sync(switched ? wire::flag_switched : no_flags);
        has_read_a_wait_ = has_read_a_wait_ || (switched && inside == Inside::waiting);
    }
    append(Kind::resumed, flags, 0, 0, &result, 1, ticks);
    if (functions_)
        functions_->go_on_from(ticks);
    order_for_signal_handlers();
    state_ = StreamState::open;
}

}  // namespace parcast::recorder
