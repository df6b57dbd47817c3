#include "calibrate/quantity.h"

namespace parcast::calibrate {

std::array<Description, quantity_count> const descriptions{{
    {Quantity::context_switch, "context_switch_ns", "context switch",
     "two threads that yield to each other on one CPU, less the call", false},
    {Quantity::hand_off, "hand_off_ns", "sleep, switch and wake",
     "on one CPU, from one thread's futex wait to the other's return from its own", false},
    {Quantity::wake_up_soon, "wake_up_after_20_us_ns", "wake-up, CPU idle for 20 us",
     "from the release to the woken thread running on another CPU", true},
    {Quantity::wake_up, "wake_up_ns", "wake-up, CPU idle for 200 us", "the same", true},
    {Quantity::wake_up_late, "wake_up_after_5_ms_ns", "wake-up, CPU idle for 5 ms", "the same", true},
    {Quantity::wake_call_same_cpu, "wake_call_same_cpu_ns", "waking, same CPU",
     "futex wake of one thread of this CPU, for who wakes", false},
    {Quantity::wake_call, "wake_call_ns", "waking, another CPU",
     "futex wake of one thread of a CPU idle for 200 us, for who wakes", true},
    {Quantity::wake_each_waiter, "wake_each_waiter_ns", "waking each further thread",
     "futex wake of all, one on each other CPU (up to 16) and at least four, for who wakes", true},
    {Quantity::lock, "lock_ns", "uncontended lock", "lock and unlock of a pthread mutex", false},
    {Quantity::contended_lock, "contended_lock_ns", "lock that blocks",
     "CPU time of lock and unlock, both threads, two CPUs", true},
    {Quantity::create_thread, "create_thread_same_cpu_ns", "creating a thread, same CPU",
     "pthread_create, for the creator", false},
    {Quantity::create_thread_elsewhere, "create_thread_other_cpu_ns", "creating a thread, another CPU",
     "the same, the thread starts on an idle CPU", true},
    {Quantity::join_thread, "join_thread_ns", "joining an ended thread", "pthread_join", false},
    {Quantity::thread_life, "thread_life_ns", "creation to join", "an empty thread on its creator's CPU",
     false},
    {Quantity::message_one_way, "message_one_way_ns", "message between two CPUs",
     "half of a round trip of a byte through shared memory, copied in and out", true},
    {Quantity::message_send, "message_send_ns", "sending a byte", "the same, for the sender", true},
    {Quantity::message_send_medium, "message_send_8_kib_ns", "sending 8 KiB", "the same", true},
    {Quantity::message_gap, "message_stream_ns", "each of many messages of a byte",
     "a stream that the other CPU takes as fast as it can", true},
    {Quantity::message_gap_large, "message_stream_64_kib_ns", "each of many messages of 64 KiB", "the same",
     true},
}};

}  // namespace parcast::calibrate
