// The CPUs that this process may use, and binding a thread to some of them.

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include <sched.h>

namespace parcast::measure {

// As the system's calls take it.
class CpuMask {
public:
    CpuMask() = default;
    explicit CpuMask(std::vector<unsigned> const& cpus);

    static constexpr std::size_t bytes() { return sizeof(sets_); }
    cpu_set_t* sets() { return sets_.data(); }
    cpu_set_t const* sets() const { return sets_.data(); }

private:
    std::array<cpu_set_t, 8> sets_{};  // 8192 processors: the most that Linux can be built for
};

// Rising; empty if the system does not say.
std::vector<unsigned> allowed_cpus();

// Binds the calling thread. Callable between fork and exec.
[[nodiscard]] bool pin_to(CpuMask const& cpus);
[[nodiscard]] bool pin_to(unsigned cpu);

// Binds the calling thread for as long as it lives, and gives it its former CPUs back. A program inherits
// those of the thread that starts it.
class Pinned {
public:
    explicit Pinned(std::vector<unsigned> const& cpus);
    explicit Pinned(unsigned cpu) : Pinned(std::vector<unsigned>{cpu}) {}
    ~Pinned();
    Pinned(Pinned const&) = delete;
    Pinned& operator=(Pinned const&) = delete;
    bool is_pinned() const { return is_pinned_; }

private:
    CpuMask former_;
    bool is_pinned_ = false;
};

// A thread whose body starts when it is on that CPU, or, if it may not go there, where it is: who measures
// looks whether the CPUs may still be used (first_unusable).
std::jthread thread_on(unsigned cpu, std::function<void()> body);

// The first of `cpus` that the calling thread may not be bound to any more: taken offline, or out of the
// process's set.
std::optional<unsigned> first_unusable(std::vector<unsigned> const& cpus);

}  // namespace parcast::measure
