// A change that somebody might make to a program, to see what it would bring:
//
//     function:NAME*0.5   its work takes half as long        lock:NAME*0.5    the work while it is held does
//     function:NAME+*0.5  and that of all that it calls
//     place:FILE:LINE*0   the work before that call is gone  lock:NAME/8      eight locks in its place
//     thread:NAME*2       all work of a thread doubles       lock:NAME=free   nobody waits for it any more
//     thread:NAME@3       it runs on CPU 3 only, whatever the program sets; on any, where that is missing
//     io:NAME*0.1         input and output of a descriptor   sleep:*0         no sleeping; io:*0.1: all of it
//     wake-ups=free       waking up costs nothing: of the machine (simulate/changed_machine.h)
//     lwps=8              so many LWPs for the threads that are not bound: likewise
//     group:NAME*0.5      tasks of a task graph (task_change.h)
//
// and of a program of messages (message_change.h), whose functions are its computations by name:
//
//     rank:3*0.5          a rank computes half as long; rank:0-7*0.5: several
//     tag:5*0.5           half as many bytes of messages     tag:5=free       nobody sends or awaits them
//     collective:reduce*0.5  the same of collective operations; =free: nobody calls them
//     L=half, G*0.1, node.o=200ns, S=never                   of the network (forecast/network_points.h)
//
// Factors are from 0 to 100. A comma joins changes that are made together.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "program/thread_program.h"
#include "program/work_owners.h"

namespace parcast {

struct WorkChange {
    enum class Of : std::uint8_t {
        function,
        lock,
        thread,
        place,
        input_output,
        sleep,
        group,
        wake_up,
        lwps,
        rank,
        tag,
        collective,
        network,
    };
    enum class Effect : std::uint8_t { scaled, split, freed, set, bound };

    Of of = Of::function;
    Effect effect = Effect::scaled;
    std::string name;           // as typed; empty: all
    double factor = 1;          // scaled
    std::uint32_t parts = 1;    // split
    std::uint32_t cpu = 0;      // bound
    std::uint32_t lwps = 0;     // set, of lwps
    bool with_callees = false;  // of a function: and all that it calls
    double value = 0;           // set; a time in ns
    bool has_unit = false;      // the value is a time

    friend bool operator==(WorkChange const&, WorkChange const&) = default;
};

// Changes that are made together, as they were typed.
struct Scenario {
    std::string text;
    std::vector<WorkChange> changes;

    friend bool operator==(Scenario const&, Scenario const&) = default;
};

// Errors: malformed, with what is expected.
Result<Scenario> parse_scenario(std::string_view text);

// What nobody is called who was meant: the nearest of the names, or those that have most work, with their
// shares of all of it.
struct NamedWork {
    std::string name;
    double work_ns = 0;
};
std::string who_there_is(std::string_view meant, std::vector<NamedWork> known, double all_ns);

// The program as it would be. Work that was handed out stays with the thread that had it. Errors: unasked (a
// name that the program does not have, with the nearest; a lock that conditions need).
Result<ThreadProgram> changed(ThreadProgram const& program, Scenario const& scenario);

// The program whose owner's work takes `factor` times as long. REQUIRES: owner < WorkOwners(program).count().
ThreadProgram with_work_scaled(ThreadProgram const& program, std::size_t owner, double factor);

}  // namespace parcast
