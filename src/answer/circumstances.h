// What was recorded and how it is replayed: what the sentences about a run depend on, beside the run itself.

#pragma once

#include <cstdint>
#include <string_view>

namespace parcast {

struct Answer;

struct Circumstances {
    std::string_view model = "direct";  // or "strict", "ordered"
    std::int64_t shown_cpus = 1;        // to the program when it was recorded; 0: it was written down
    double memory_share = 0;            // of the work, by the machine's rates
    // An argument of the command says how many threads it makes (thread_count.h): showing it more CPUs
    // changes nothing.
    bool is_told_its_threads = false;
    bool has_files = false;      // it may refuse to run again while its output is there
    bool is_child = false;       // another recorded process started it: its command may not run by itself
    bool starts_others = false;  // processes that share its work, and have recordings of their own
    bool is_worthless = false;   // by a finding: nothing is concluded from a run

    bool is_written() const { return shown_cpus == 0; }
};

// REQUIRES: of replayed_forms.
Circumstances circumstances_of(Answer const& prediction);

}  // namespace parcast
