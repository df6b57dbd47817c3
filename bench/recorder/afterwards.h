// Leaving nothing behind: what was set up is taken down when its owner goes, and also when the whole process
// is interrupted or killed, which no destructor and no handler of signals sees.

#pragma once

#include <functional>

#include <sys/types.h>

namespace parcast::bench {

// A child process that waits for the end of this one and then does what it was given.
class Afterwards {
public:
    // REQUIRES: the process has one thread. Aborts if the system has no process left.
    explicit Afterwards(std::function<void()> const& action);
    // Does it now, and waits until it is done.
    ~Afterwards();
    Afterwards(Afterwards const&) = delete;
    Afterwards& operator=(Afterwards const&) = delete;

private:
    pid_t child_ = 0;
    int alive_ = -1;  // the end of a pipe that nobody writes to: it closes with this process
};

}  // namespace parcast::bench
