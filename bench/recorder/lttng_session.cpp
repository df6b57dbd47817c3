#include "lttng_session.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace parcast::bench {
namespace {

constexpr char const* wrapper = "/usr/lib/x86_64-linux-gnu/liblttng-ust-pthread-wrapper.so";

constexpr int most_wait_ms = 10'000;

bool runs(std::string const& line) {
    return std::system((line + " >/dev/null 2>&1").c_str()) == 0;
}

std::string line_of(std::string const& folder, std::string const& words) {
    return "LTTNG_HOME='" + folder + "' lttng --no-sessiond " + words;
}

// Asks it to end and waits until it has: what it writes last would bring back a folder that was removed.
void end(pid_t daemon) {
    auto const descriptor = static_cast<int>(syscall(SYS_pidfd_open, daemon, 0));
    kill(daemon, SIGTERM);
    if (descriptor < 0)
        return;
    pollfd ended = {.fd = descriptor, .events = POLLIN, .revents = 0};
    poll(&ended, 1, most_wait_ms);
    close(descriptor);
}

// Ends the session daemon whose files are in `folder`, if it ever began.
void end_daemon_of(std::string const& folder) {
    std::ifstream file(folder + "/pid");
    if (pid_t daemon = 0; file >> daemon) {
        runs(line_of(folder, "destroy parcast-bench"));
        end(daemon);
    }
}

// The sum of all numbers between <element> and the next tag.
std::uint64_t sum_of(std::string_view element, std::string_view xml) {
    std::string const tag = "<" + std::string(element) + ">";
    std::uint64_t sum = 0;
    for (std::size_t at = xml.find(tag); at != xml.npos; at = xml.find(tag, at + 1))
        sum += std::strtoull(xml.data() + at + tag.size(), nullptr, 10);
    return sum;
}

}  // namespace

LttngSession::LttngSession() : folder_(end_daemon_of) {
    if (!is_installed("lttng-sessiond") || !is_installed("lttng"))
        why_not_ = "lttng-tools is not installed";
    else if (!std::ifstream(wrapper))
        why_not_ = "liblttng-ust-dev, which has the pthread wrapper, is not installed";
    else if (!runs("LTTNG_HOME='" + folder_.path() + "' lttng-sessiond --no-kernel --daemonize --pidfile='" +
                   folder_.path() + "/pid'"))
        why_not_ = "its session daemon does not start; does another one run?";
    else if (!command("create parcast-bench --output='" + folder_.path() + "/trace'") ||
             !command("enable-channel --userspace locks --num-subbuf=8 --subbuf-size=8M") ||
             !command("enable-event --userspace --channel=locks 'lttng_ust_pthread:*'") ||
             !command("add-context --userspace --type=vtid --type=ip") || !command("start"))
        why_not_ = "its session does not start";
}

std::string LttngSession::line(std::string const& words) const {
    return line_of(folder_.path(), words);
}

bool LttngSession::command(std::string const& words) const {
    return runs(line(words));
}

std::uint64_t LttngSession::discarded_events() const {
    command("stop parcast-bench");
    std::string const session = output_of(line("--mi xml list parcast-bench"));
    command("start parcast-bench");
    return sum_of("discarded_events", session);
}

Variant LttngSession::variant() const {
    return {"LTTng-UST", "LTTNG_HOME='" + folder_.path() + "' LD_PRELOAD='" + wrapper + "'"};
}

}  // namespace parcast::bench
