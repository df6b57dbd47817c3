// The CPUs that this process may use, and binding a thread to one of them.

#pragma once

#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace parcast::calibrate {

// Rising; empty if the system does not say.
std::vector<unsigned> allowed_cpus();

// Binds the calling thread. Callable between fork and exec.
[[nodiscard]] bool pin_to(unsigned cpu);

// Binds the calling thread to one CPU for as long as it lives, and gives it its former mask back.
class Pinned {
public:
    explicit Pinned(unsigned cpu);
    ~Pinned();
    Pinned(Pinned const&) = delete;
    Pinned& operator=(Pinned const&) = delete;
    bool is_pinned() const { return is_pinned_; }

private:
    std::vector<unsigned> former_;
    bool is_pinned_;
};

// A thread whose body starts when it is on that CPU, or, if it may not go there, where it is: who measures
// looks whether the CPUs may still be used (first_unusable).
std::jthread thread_on(unsigned cpu, std::function<void()> body);

// The first of `cpus` that the calling thread may not be bound to any more: taken offline, or out of the
// process's set.
std::optional<unsigned> first_unusable(std::vector<unsigned> const& cpus);

}  // namespace parcast::calibrate
