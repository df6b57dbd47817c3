// What `record` leaves: how the program ended, and a trace of each of its processes and program images.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/event_price.h"
#include "answer/finding.h"
#include "timeline/timeline.h"

namespace parcast {

// One trace, written or not.
struct RecordedImage {
    std::string program;  // without its folders
    std::int64_t process = 0;
    bool is_main = false;             // the program that was asked for, or the last that replaced it
    bool is_running = false;          // it outlives the program, so its trace ends early
    std::optional<std::string> file;  // absent: not written, or it could not be
    std::size_t bytes = 0;
    std::string problem;  // why there is no trace
    Timeline timeline;    // nothing in it: it could not be read; events only where they were asked for
    // What its events show:
    std::int64_t events = 0;
    double recording_share = 0;  // what recording them took, of the CPU time
    std::vector<Finding> findings;
};

struct RecordAnswer {
    std::vector<std::string> command;
    unsigned cpu = 0;
    std::optional<int> exit_status;  // exactly one of the two
    std::optional<int> death_signal;
    std::vector<RecordedImage> images;  // the main one first; none: the recorder did not start
    std::vector<std::int64_t>
        unseen;                       // forked processes that outlive the program and had not begun to record
    std::string further_folder;       // of further traces, ending in a slash; empty: beside the main one
    std::optional<std::size_t> next;  // the image to predict from
    std::size_t usable_cpus = 1;      // of this host, by whoever recorded
    std::optional<EventPrice> event_price = {};  // by runs without the recorder; none: nobody asked
    // Of the CPU's time: what others had while the program was recorded, other programs or the host of a
    // virtual machine. None: the system does not tell.
    std::optional<double> others_share = {};
    std::size_t recordings = 1;  // of which these images are the ones that others disturbed least
};

}  // namespace parcast
