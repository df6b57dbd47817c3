// What `parcast calibrate` measures of a machine: the names, and how each is measured.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace parcast::calibrate {

enum class Quantity : std::uint8_t {
    context_switch,
    hand_off,
    wake_up_soon,
    wake_up,
    wake_up_late,
    wake_call_same_cpu,
    wake_call_soon,
    wake_call,
    wake_each_waiter,
    lock,
    contended_lock,
    hot_handover,
    hot_read_handover,
    hot_word_handover,
    hot_mutex,
    hot_read_lock,
    hot_word,
    hot_mutex_of_all,
    create_thread,
    create_thread_elsewhere,
    join_thread,
    thread_life,
    message_one_way,
    message_send,
    message_send_medium,
    message_gap,
    message_gap_large,
};
inline constexpr std::size_t quantity_count = 27;

struct Description {
    Quantity quantity;
    char const* key;     // with the unit, as in [calibration.values] of a machine file
    char const* title;   // of its row
    char const* method;  // how it is measured, a phrase
    bool needs_two_cpus;
};

// In the order of Quantity, which is that of the table.
extern std::array<Description, quantity_count> const descriptions;

}  // namespace parcast::calibrate
