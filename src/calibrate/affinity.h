// The CPUs that this process may use, and binding a thread to one of them.

#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace parcast::calibrate {

// Rising; empty if the system does not say.
std::vector<unsigned> allowed_cpus();

// Binds the calling thread. Callable between fork and exec.
bool pin_to(unsigned cpu);

// Binds the calling thread to one CPU for as long as it lives, and gives it its former mask back.
class Pinned {
public:
    explicit Pinned(unsigned cpu);
    ~Pinned();
    Pinned(Pinned const&) = delete;
    Pinned& operator=(Pinned const&) = delete;

private:
    std::vector<unsigned> former_;
};

// A thread whose body starts when it is on that CPU.
std::jthread thread_on(unsigned cpu, std::function<void()> body);

}  // namespace parcast::calibrate
