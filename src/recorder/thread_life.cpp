#include "recorder/thread_life.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "recorder/function_calls.h"
#include "recorder/real.h"
#include "recorder/recording.h"
#include "recorder/stream_pool.h"

namespace parcast::recorder {

constinit thread_local Stream* current_stream = nullptr;

namespace {

// By name alone (recorder/real.h): their versions are of glibc 2.34, and older ones have them too.
PARCAST_REAL Real<decltype(pthread_key_create)> real_key_create{"pthread_key_create"};
PARCAST_REAL Real<decltype(pthread_setspecific)> real_setspecific{"pthread_setspecific"};
PARCAST_REAL Real<decltype(pthread_getcpuclockid)> real_getcpuclockid{"pthread_getcpuclockid"};

constinit pthread_key_t end_key = 0;

// Whether a thread without a stream may get one.
enum class Attachment : uint8_t {
    possible,
    under_way,  // not in a signal handler that interrupts it
    refused,
};
constinit thread_local Attachment attachment = Attachment::possible;

// Other keys' destructors are part of the thread, and may take locks. Ours asks to be called again as
// long as the library does that, so that it comes after them.
constexpr uint32_t end_rounds = 4;
static_assert(end_rounds == PTHREAD_DESTRUCTOR_ITERATIONS);

}  // namespace

uint32_t kernel_id_of(pthread_t thread) {
    clockid_t clock = 0;
    real_getcpuclockid(thread, &clock);
    return ~static_cast<uint32_t>(clock >> 3);
}

void end_of_thread(void* stream) {
    ThreadLife::end(static_cast<Stream*>(stream));
}

bool prepare_thread_ends() {
    return real_key_create(&end_key, end_of_thread) == 0;
}

Stream* attach_stream() {
    if (!recording.running || attachment != Attachment::possible)
        return nullptr;
    attachment = Attachment::under_way;
    Stream* const stream = ThreadLife::announce();
    if (stream)
        ThreadLife::begin(stream);
    else
        ThreadLife::refuse();
    return stream;
}

void ThreadLife::refuse() {
    current_stream = nullptr;
    attachment = Attachment::refused;
}

Stream* ThreadLife::announce() {
    if (!recording.running)
        return nullptr;
    Stream* const stream = StreamPool::take();
    if (!stream) {
        count_lost_event();
        return nullptr;
    }
    stream->thread_number_ = __atomic_fetch_add(&recording.header->thread_count, 1, __ATOMIC_RELAXED);
    stream->start = {};
    stream->scheduling = {};
    return stream;
}

void ThreadLife::retract(Stream* stream) {
    StreamPool::give_back(stream);
}

void ThreadLife::begin(Stream* stream) {
    stream->end_rounds_ = 0;
    stream->kernel_id_ = kernel_id_of(pthread_self());
    take_kept_early(stream->kernel_id_, stream->scheduling);
    stream->has_read_a_wait_ = false;
    stream->run_delay_is_known_ = false;
    stream->run_delays_in_vain_ = 0;
    stream->vain_rows_ = 0;
    stream->yields_end_ = nullptr;
    stream->once_call = nullptr;
    stream->lent_site_ = nullptr;
    stream->lent_state_ = nullptr;
    begin_watch(stream->watch_, recording.clock);
    __atomic_fetch_add(&recording.header->threads_alive, 1, __ATOMIC_RELAXED);
    if (stream->has_room()) {
        uint64_t const payload[] = {stream->thread_number_, reinterpret_cast<uint64_t>(stream->start.routine),
                                    reinterpret_cast<uint64_t>(pthread_self()), stream->kernel_id_};
        stream->append(Kind::thread_begin, no_flags, 0, 0, payload, 4, read_ticks());
        uint64_t const ticks = stream->sync(wire::flag_switched);
        if (stream->functions_)
            stream->functions_->go_on_from(ticks);
        if (stream->start.state)
            record_start_state(stream);
        stream->state_ = StreamState::open;
    }
    current_stream = stream;
    attachment = Attachment::possible;
    real_setspecific(end_key, stream);
}

// A std::thread keeps its callable in an object of an unnamed type: its first words hold the virtual
// table and, for a plain function, its address.
void ThreadLife::record_start_state(Stream* stream) {
    auto const* const words = static_cast<uint64_t const*>(stream->start.state);
    uint64_t const payload[] = {words[0], words[1], words[2], words[3]};
    stream->append(Kind::thread_state, no_flags, 0, 0, payload, 4, read_ticks());
}

void ThreadLife::end(Stream* stream) {
    if (++stream->end_rounds_ < end_rounds) {
        real_setspecific(end_key, stream);
        return;
    }
    refuse();
    if (stream->state_ == StreamState::in_call)
        stream->close_abandoned_call();
    if (stream->state_ == StreamState::open && stream->has_room()) {
        if (stream->unread_waits_ > 0)
            stream->sync_due_ticks_ = 0;
        uint64_t const ticks = stream->attend(was_switched(stream->watch_), read_ticks());
        if (stream->has_room())
            stream->append(Kind::thread_end, no_flags, 0, 0, nullptr, 0, ticks);
    }
    if (stream->functions_)
        stream->functions_->leave_all();
    stream->state_ = StreamState::silent;
    end_watch(stream->watch_);
    // A child whose recording could not begin has the header of its parent.
    if (stream->generation_ == recording.generation)
        __atomic_fetch_sub(&recording.header->threads_alive, 1, __ATOMIC_RELAXED);
    StreamPool::give_back(stream);
}

void ThreadLife::record_process_exit(int status) {
    Stream* const stream = this_stream();
    if (!stream)
        return;
    if (stream->state_ == StreamState::in_call)
        stream->close_abandoned_call();
    if (stream->state_ != StreamState::open || !stream->has_room())
        return;
    stream->state_ = StreamState::writing;
    stream->sync_due_ticks_ = 0;
    stream->attend(was_switched(stream->watch_), read_ticks());
    uint64_t const payload[] = {static_cast<uint64_t>(static_cast<uint32_t>(status))};
    if (stream->has_room())
        stream->append(Kind::process_exit, no_flags, 0, 0, payload, 1, read_ticks());
    stream->state_ = StreamState::silent;
}

void ThreadLife::restart_in_child() {
    Stream* const stream = current_stream;
    if (!stream) {
        if (attachment == Attachment::refused)
            attachment = Attachment::possible;
        return;
    }
    OnceCall* const once_call = stream->once_call;  // fork may be called by a routine of pthread_once
    stream->start_new_file();
    stream->thread_number_ = __atomic_fetch_add(&recording.header->thread_count, 1, __ATOMIC_RELAXED);
    stream->start = {};
    stream->scheduling = inherited(stream->scheduling);
    begin(stream);
    stream->once_call = once_call;
}

}  // namespace parcast::recorder
