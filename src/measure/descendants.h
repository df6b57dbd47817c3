// Which processes descend from this one, and how are they ended? A time limit that reaches only the program
// that was started leaves behind what that one started: a shell's commands, a script's tools.
//
// 1. Linux forgets where an orphan came from: it becomes a child of init. While an Adoption lives, orphans
// among our
//    descendants become our children instead (prctl(2), PR_SET_CHILD_SUBREAPER), so none is lost, whatever
//    session or process group it moved to.
// 2. What /proc shows is a moment's picture; a process that starts others meanwhile is met by looking again.

#pragma once

#include <optional>
#include <vector>

#include <sys/types.h>

#include "core/time.h"

namespace parcast::measure {

// Living descendants of a process, by number: children, their children, and so on. Empty where there is no
// /proc.
std::vector<pid_t> descendants_of(pid_t process);

// The processes that descend from this one and were started while it lives.
class Adoption {
public:
    Adoption();
    Adoption(Adoption const&) = delete;
    Adoption& operator=(Adoption const&) = delete;
    // Orphans that ended are reaped; others stay what they are, and belong to init once we end.
    ~Adoption();

    std::vector<pid_t> living() const;
    void signal_all(int signal) const;

    // SIGTERM to all of them, and SIGKILL after the grace to those that are left. `child`, one of them, stays
    // to be waited for. Returns when all have ended, or cannot be (a call to a broken device), a second after
    // SIGKILL.
    void end_all(pid_t child, Duration grace) const;

private:
    void reap_orphans(std::optional<pid_t> child) const;
    bool all_end_within(pid_t child, Duration limit) const;

    std::vector<pid_t> earlier_;
    int was_adopting_ = 0;
};

}  // namespace parcast::measure
