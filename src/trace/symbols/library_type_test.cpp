#include "trace/symbols/library_type.h"

#include <gtest/gtest.h>

#include <vector>

namespace parcast::trace {
namespace {

struct Case {
    std::vector<Frame> frames;
    char const* type;
    char const* because;
};
void PrintTo(Case const& value, std::ostream* out) {
    *out << value.because;
}

constexpr char const* header = "/usr/include/c++/12/bits/atomic_wait.h";

class LibraryType : public testing::TestWithParam<Case> {};

TEST_P(LibraryType, IsKnownByItsFunctions) {
    EXPECT_EQ(library_type(GetParam().frames), GetParam().type);
}

// The frames of programs that g++ 12 and rustc 1.95 made.
INSTANTIATE_TEST_SUITE_P(
    Frames, LibraryType,
    testing::Values(
        Case{{{"os::PlatformEvent::park()", "", 0}}, "Java park", "a monitor of OpenJDK 17"},
        Case{{{"Parker::park(bool, long)", "", 0}}, "Java park", "java.util.concurrent"},
        Case{
            {{"void std::__detail::__platform_notify<int>(int const*, bool)", header, 121},
             {"void std::__atomic_notify_address<std::__barrier_phase_t>(std::__barrier_phase_t const*, "
              "bool)",
              header, 460},
             {"std::barrier<std::__empty_completion>::arrive_and_wait()", "/usr/include/c++/12/barrier", 248},
             {"operator()", "/home/me/triad.cpp", 18}},
            "std::barrier",
            "its wake is all inlined"},
        Case{{{"void std::__detail::__platform_wait<int>(int const*, int)", header, 108},
              {"void std::__atomic_wait_address<std::__barrier_phase_t, "
               "std::__tree_barrier<std::__empty_completion>::wait(std::__barrier_phase_t&&) "
               "const::{lambda()#1}>(std::__barrier_phase_t const*, "
               "std::__tree_barrier<std::__empty_completion>::wait(std::__barrier_phase_t&&) "
               "const::{lambda()#1})",
               header, 431}},
             "std::barrier",
             "its wait is a function of its own"},
        Case{{{"void std::__atomic_wait_address<int, std::__atomic_semaphore::_M_acquire()::{lambda()#1}>()",
               "", 0}},
             "std::counting_semaphore",
             "without debug information"},
        Case{
            {{"std::sys::pal::unix::futex::futex_wake", "/rustc/59807616/library/std/src/futex.rs", 107},
             {"<std::sys::sync::mutex::futex::Mutex>::wake", "/rustc/59807616/library/std/src/mutex.rs", 101},
             {"worker", "/home/me/main.rs", 5}},
            "Rust Mutex",
            "Rust's library is built elsewhere"},
        Case{{{"Pool::wait()", "/home/me/pool.cpp", 3}, {"std::latch::wait()", header, 1}},
             "",
             "what the program does itself, be it called by the library"},
        Case{
            {{"std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100}}, "", "a call of pthread"}));

}  // namespace
}  // namespace parcast::trace
