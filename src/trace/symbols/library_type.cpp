#include "trace/symbols/library_type.h"

#include <algorithm>

#include "trace/symbols/module_symbols.h"

namespace parcast::trace {

namespace {

// What a function of the type has in its name. What is built of another type stands above it.
struct TypeRow {
    char const* part;
    char const* type;
};
constexpr TypeRow types[] = {
    {"__tree_barrier<", "std::barrier"},
    {"std::barrier<", "std::barrier"},
    {"std::latch::", "std::latch"},
    {"std::__atomic_semaphore", "std::counting_semaphore"},
    {"std::counting_semaphore<", "std::counting_semaphore"},
    {"std::__atomic_futex_unsigned", "std::future"},
    {"std::__future_base", "std::future"},
    {"std::__atomic_wait_address", "std::atomic"},
    {"std::__atomic_notify_address", "std::atomic"},
    {"std::__atomic_base<", "std::atomic"},
    {"std::atomic", "std::atomic"},
    {"sync::mutex::futex::", "Rust Mutex"},
    {"locks::futex_mutex::", "Rust Mutex"},  // before 1.82
    {"sync::rwlock::futex::", "Rust RwLock"},
    {"locks::futex_rwlock::", "Rust RwLock"},
    {"sync::condvar::futex::", "Rust Condvar"},
    {"locks::futex_condvar::", "Rust Condvar"},
    {"thread_parking::futex::", "Rust park"},
    {"thread_parker::futex::", "Rust park"},
    {"sync::once::futex::", "Rust Once"},
    {"os::PlatformEvent::park", java_park},
    {"Parker::park", java_park},
};

}  // namespace

bool is_library_frame(Frame const& frame) {
    if (frame.function.starts_with("os::PlatformEvent::park") || frame.function.starts_with("Parker::park"))
        return true;
    return frame.file.empty() ? frame.function.find("std::") != std::string::npos
                              : is_library_header(frame.file);
}

std::string library_type(std::span<Frame const> frames) {
    auto const library = std::ranges::subrange(
        frames.begin(),
        std::ranges::find_if_not(frames, [](Frame const& each) { return is_library_frame(each); }));
    for (TypeRow const& row : types)
        for (Frame const& frame : library)
            if (frame.function.find(row.part) != std::string::npos)
                return row.type;
    return "";
}

}  // namespace parcast::trace
