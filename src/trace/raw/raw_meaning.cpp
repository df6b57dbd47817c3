#include "trace/raw/raw_meaning.h"

#include <array>

namespace parcast::trace {

namespace {

constexpr std::optional<RawMeaning> row_of(wire::Kind kind) {
    using enum EventKind;
    using Raw = wire::Kind;
    using Object = ObjectKind;
    constexpr auto no_object = std::nullopt;
    constexpr auto value = Payload::value;
    switch (kind) {
        case Raw::none:
        case Raw::define_object:
        case Raw::define_site:
        case Raw::time_base:
        case Raw::cpu_sync:
        case Raw::run_delay:
        case Raw::resumed:
        case Raw::define_stack:
        case Raw::stack_time:
        case Raw::thread_state:
        case Raw::set_name:
        case Raw::exec_failed: return std::nullopt;
        case Raw::thread_begin: return {{thread_begin, no_object}};
        case Raw::thread_end: return {{thread_end, no_object}};
        case Raw::thread_create: return {{thread_create, no_object, Payload::child}};
        case Raw::thread_join:
        case Raw::thread_try_join:
        case Raw::thread_timed_join: return {{thread_join, no_object, Payload::handle}};
        case Raw::thread_detach: return {{thread_detach, no_object, Payload::handle}};
        case Raw::mutex_init: return {{object_init, Object::mutex, value}};
        case Raw::mutex_destroy: return {{object_destroy, Object::mutex}};
        case Raw::mutex_lock:
        case Raw::mutex_lock_unlock: return {{lock, Object::mutex}};
        case Raw::mutex_try_lock: return {{try_lock, Object::mutex}};
        case Raw::mutex_timed_lock: return {{timed_lock, Object::mutex, value}};
        case Raw::mutex_unlock: return {{unlock, Object::mutex}};
        case Raw::spin_init: return {{object_init, Object::spin_lock}};
        case Raw::spin_destroy: return {{object_destroy, Object::spin_lock}};
        case Raw::spin_lock: return {{lock, Object::spin_lock}};
        case Raw::spin_try_lock: return {{try_lock, Object::spin_lock}};
        case Raw::spin_unlock: return {{unlock, Object::spin_lock}};
        case Raw::rwlock_init: return {{object_init, Object::reader_writer_lock}};
        case Raw::rwlock_destroy: return {{object_destroy, Object::reader_writer_lock}};
        case Raw::rwlock_read: return {{read_lock, Object::reader_writer_lock}};
        case Raw::rwlock_try_read: return {{try_read_lock, Object::reader_writer_lock}};
        case Raw::rwlock_timed_read: return {{timed_read_lock, Object::reader_writer_lock, value}};
        case Raw::rwlock_write: return {{write_lock, Object::reader_writer_lock}};
        case Raw::rwlock_try_write: return {{try_write_lock, Object::reader_writer_lock}};
        case Raw::rwlock_timed_write: return {{timed_write_lock, Object::reader_writer_lock, value}};
        case Raw::rwlock_unlock: return {{read_write_unlock, Object::reader_writer_lock}};
        case Raw::condition_init: return {{object_init, Object::condition}};
        case Raw::condition_destroy: return {{object_destroy, Object::condition}};
        case Raw::condition_wait: return {{condition_wait, Object::condition, Payload::mutex}};
        case Raw::condition_timed_wait:
            return {{timed_condition_wait, Object::condition, Payload::mutex_and_value}};
        case Raw::condition_signal: return {{condition_signal, Object::condition}};
        case Raw::condition_broadcast: return {{condition_broadcast, Object::condition}};
        case Raw::barrier_init: return {{object_init, Object::barrier, value}};
        case Raw::barrier_destroy: return {{object_destroy, Object::barrier}};
        case Raw::barrier_wait: return {{barrier_wait, Object::barrier, Payload::none, true}};
        case Raw::semaphore_init: return {{object_init, Object::semaphore, value}};
        case Raw::semaphore_destroy: return {{object_destroy, Object::semaphore}};
        case Raw::semaphore_wait: return {{semaphore_wait, Object::semaphore}};
        case Raw::semaphore_try_wait: return {{try_semaphore_wait, Object::semaphore}};
        case Raw::semaphore_timed_wait: return {{timed_semaphore_wait, Object::semaphore, value}};
        case Raw::semaphore_post: return {{semaphore_post, Object::semaphore}};
        case Raw::once: return {{once, Object::once, value}};
        case Raw::futex_wait: return {{futex_wait, Object::futex}};
        case Raw::futex_timed_wait: return {{timed_futex_wait, Object::futex, value}};
        case Raw::futex_wake: return {{futex_wake, Object::futex, value}};
        case Raw::sleep: return {{sleep, no_object, value}};
        case Raw::yield: return {{yield, no_object}};
        case Raw::input: return {{input, Object::descriptor, Payload::none, true}};
        case Raw::output: return {{output, Object::descriptor, Payload::none, true}};
        case Raw::poll: return {{poll, Object::descriptor, value, true}};
        case Raw::open_close: return {{open_close, Object::descriptor, Payload::none, true}};
        case Raw::sync: return {{sync, Object::descriptor, Payload::none, true}};
        case Raw::channel_init: return {{object_init, Object::descriptor, value}};
        case Raw::set_affinity: return {{set_affinity, no_object, Payload::handle_and_value}};
        case Raw::set_priority: return {{set_priority, no_object, Payload::handle_and_value}};
        case Raw::set_concurrency: return {{set_concurrency, no_object, value}};
        case Raw::fork: return {{fork, no_object, value}};
        case Raw::exec: return {{exec, no_object}};
        case Raw::spawn: return {{spawn, no_object, value}};
        case Raw::wait_child: return {{wait_child, no_object, Payload::none, true}};
        case Raw::process_exit: return {{process_exit, no_object, value}};
    }
    return std::nullopt;
}

// A recording asks for every event; a switch of so many cases with so large results is slow.
using Table = std::array<std::optional<RawMeaning>, 256>;

constexpr Table all_rows() {
    Table table;
    for (std::size_t kind = 0; kind < table.size(); ++kind)
        table[kind] = row_of(static_cast<wire::Kind>(kind));
    return table;
}

constexpr Table table = all_rows();

}  // namespace

std::optional<RawMeaning> const& meaning_of(wire::Kind kind) {
    return table[static_cast<std::size_t>(kind)];
}

}  // namespace parcast::trace
