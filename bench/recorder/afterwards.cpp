#include "afterwards.h"

#include <array>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parcast::bench {
namespace {

// Nothing of the other children of this process stays open here: their pipes must close, too.
void keep_only(int descriptor) {
    constexpr int first = STDERR_FILENO + 1;
    if (descriptor > first)
        close_range(first, static_cast<unsigned>(descriptor) - 1, 0);
    close_range(static_cast<unsigned>(descriptor) + 1, ~0U, 0);
}

}  // namespace

Afterwards::Afterwards(std::function<void()> const& action) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0 || (child_ = fork()) < 0) {
        std::perror("afterwards");
        std::abort();
    }
    auto const [waits, alive] = ends;
    if (child_ != 0) {
        close(waits);
        alive_ = alive;
        return;
    }
    setsid();  // a Ctrl-C is not for it
    keep_only(waits);
    char none = 0;
    while (read(waits, &none, 1) < 0) {
    }
    action();
    _exit(EXIT_SUCCESS);
}

Afterwards::~Afterwards() {
    close(alive_);
    waitpid(child_, nullptr, 0);
}

}  // namespace parcast::bench
