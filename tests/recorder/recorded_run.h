// Runs a small host program (hosts/) on one CPU with the recorder preloaded, and reads what it left.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "timeline/timeline.h"
#include "wire/record.h"

namespace parcast::tests {

struct RecordedRun {
    int wait_status = 0;                // as waitpid gives it
    std::string output;                 // what it printed
    std::vector<wire::Header> headers;  // of the raw files, in the order of their names
    std::vector<Timeline> timelines;
    double process_cpu_ns = 0;  // of the whole program, from the kernel

    Timeline const& only() const { return timelines.at(0); }
    int exit_status() const;
};

using Environment = std::map<std::string, std::string>;

// A value of LD_PRELOAD. The loader splits it at spaces and knows no quoting, so libraries in a folder with
// spaces are reached by links, which stay until the test program ends.
std::string preloaded(std::vector<std::string> const& libraries);

// `more` goes before the recorder's own variables. A host that takes longer than a minute is killed by
// SIGALRM.
RecordedRun record(std::string const& host, std::vector<std::string> const& arguments = {},
                   Environment const& more = {});

// The synchronisation of a thread, a line an event: "lock A", "lock B blocked", "try lock A failed". Objects
// are lettered in the order in which the threads, by number, first use them. Other families' events
// (files, sleeping, ...) are left out.
std::vector<std::string> synchronisation(Timeline const& timeline, std::size_t thread);

}  // namespace parcast::tests
