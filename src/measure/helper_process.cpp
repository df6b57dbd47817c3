#include "measure/helper_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/clock.h"
#include "measure/ending_signals.h"

namespace parcast::measure {

namespace {

constexpr std::int64_t look_ns = 20'000'000;  // for a signal that came between two waits

[[noreturn]] void measure_and_end(std::function<std::vector<double>()> const& measure, int answer) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int const signal : {SIGTERM, SIGHUP, SIGINT})
        std::signal(signal, SIG_DFL);
    int const nowhere = open("/dev/null", O_WRONLY);
    for (int const output : {STDOUT_FILENO, STDERR_FILENO})
        dup2(nowhere, output);
    rlimit const no_dump{0, 0};
    setrlimit(RLIMIT_CORE, &no_dump);
    try {
        auto const numbers = measure();
        auto const bytes = numbers.size() * sizeof(double);
        bool const is_written = write(answer, numbers.data(), bytes) == static_cast<ssize_t>(bytes);
        _exit(is_written ? 0 : 1);
    } catch (...) {
        _exit(1);
    }
}

// All that comes until the other end is closed; none if that is not in time.
std::optional<std::vector<std::byte>> read_until_closed(int answer, std::int64_t end_ns) {
    std::vector<std::byte> bytes;
    while (!ending_signal()) {
        std::int64_t const left_ns = end_ns - wall_ns();
        if (left_ns <= 0)
            return std::nullopt;
        pollfd ready{answer, POLLIN, 0};
        int const found = poll(&ready, 1, static_cast<int>(std::min(left_ns, look_ns) / 1'000'000 + 1));
        if (found < 0 && errno != EINTR)
            return std::nullopt;
        if (found <= 0)
            continue;
        std::array<std::byte, 4096> next{};
        ssize_t const count = read(answer, next.data(), next.size());
        if (count == 0)
            return bytes;
        if (count < 0 && errno != EINTR)
            return std::nullopt;
        bytes.insert(bytes.end(), next.begin(), next.begin() + std::max<ssize_t>(0, count));
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<double>> measured_by_helper(std::function<std::vector<double>()> const& measure,
                                                      Duration longest) {
    std::int64_t const end_ns = wall_ns() + longest.ns;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return std::nullopt;
    pid_t const helper = fork();
    if (helper == 0)
        measure_and_end(measure, ends[1]);
    close(ends[1]);
    auto const bytes = helper > 0 ? read_until_closed(ends[0], end_ns) : std::nullopt;
    close(ends[0]);
    if (helper < 0)
        return std::nullopt;
    kill(helper, SIGKILL);  // if it has not ended
    int status = 0;
    while (waitpid(helper, &status, 0) < 0 && errno == EINTR) {
    }
    if (!bytes || bytes->empty() || bytes->size() % sizeof(double) != 0)
        return std::nullopt;
    std::vector<double> numbers(bytes->size() / sizeof(double));
    std::memcpy(numbers.data(), bytes->data(), bytes->size());
    return numbers;
}

}  // namespace parcast::measure
