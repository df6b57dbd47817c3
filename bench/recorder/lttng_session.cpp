#include "lttng_session.h"

#include <signal.h>
#include <sys/types.h>
#include <cstdlib>
#include <fstream>

namespace parcast::bench {
namespace {

constexpr char const* wrapper = "/usr/lib/x86_64-linux-gnu/liblttng-ust-pthread-wrapper.so";

bool runs(std::string const& line) {
    return std::system((line + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

LttngSession::LttngSession() {
    if (!is_installed("lttng-sessiond") || !is_installed("lttng"))
        why_not_ = "lttng-tools is not installed";
    else if (!std::ifstream(wrapper))
        why_not_ = "liblttng-ust-dev, which has the pthread wrapper, is not installed";
    else if (!runs("LTTNG_HOME='" + folder_.path() + "' lttng-sessiond --no-kernel --daemonize --pidfile='" +
                   folder_.path() + "/pid'"))
        why_not_ = "its session daemon does not start; does another one run?";
    else if (!command("create parcast-bench --output='" + folder_.path() + "/trace'") ||
             !command("enable-event --userspace 'lttng_ust_pthread:*'") ||
             !command("add-context --userspace --type=vtid --type=ip") || !command("start"))
        why_not_ = "its session does not start";
}

LttngSession::~LttngSession() {
    std::ifstream file(folder_.path() + "/pid");
    pid_t daemon = 0;
    if (!(file >> daemon))
        return;
    command("destroy parcast-bench");
    kill(daemon, SIGTERM);
}

bool LttngSession::command(std::string const& words) const {
    return runs("LTTNG_HOME='" + folder_.path() + "' lttng --no-sessiond " + words);
}

Variant LttngSession::variant() const {
    return {"LTTng-UST", "LTTNG_HOME='" + folder_.path() + "' LD_PRELOAD='" + wrapper + "'"};
}

}  // namespace parcast::bench
