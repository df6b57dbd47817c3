// `parcast.view/2`: all that the page knows before its first execution, for recordings, task graphs and
// messages: docs/formats/view.schema.json.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/answer.h"
#include "answer/binding.h"
#include "report/chart/measured_point.h"

namespace parcast::report {

// Names of tasks and precedences between them, by group: what a page of many tasks has room for. Lent.
struct TaskGroups {
    std::span<std::uint32_t const> first_task;   // by group, and the number of tasks at the end
    std::span<std::string const> names;          // by group, or none
    std::vector<std::uint32_t> first_successor;  // by group, and the number of successors at the end
    std::vector<std::uint32_t> successors;
};

struct GraphInPage {
    TaskGroups groups;
    std::vector<Scaling> scaling;  // how far it scales, by predicted schedule
};

// A network that a page can replay messages on. `numbers`: view/message_program.h.
struct NetworkInPage {
    std::string name;
    std::string text;  // its values
    std::string source;
    std::vector<double> numbers;
};

// What the page of a message program knows.
struct MessagesInPage {
    Catalogue catalogue;  // ranks and what they wait for
    std::uint32_t cpus_of_rank = 1;
    double cpu_speed = 1;
    std::vector<NetworkInPage> networks;  // that of the command line first
};

// What the page may ask for, beyond what was predicted.
struct PageOffer {
    bool simulate = true;                 // other CPU counts and schedulers
    bool source_text = true;              // lines around a place
    bool compare = false;                 // there is a second program
    bool editor = false;                  // places can be opened in one
    bool recorded = true;                 // what was recorded on one CPU, as an execution
    bool signature = false;               // what its threads are by the events/threads model
    std::vector<std::string> schedulers;  // to choose from; of a task graph the one shown first in front
    std::vector<std::string> notes;       // what was left out, sentences
    std::vector<MeasuredPoint> measured;
    std::vector<BindingOnCpus> bindings;  // what is known of all of them, without a search; empty: nothing
    std::optional<GraphInPage> graph;     // task graphs
    std::optional<MessagesInPage> messages = {};   // steps and message programs
    std::vector<std::uint32_t> cpus_to_come = {};  // counts whose runs are being made; empty: all are made
};

// The command of a recording, the name of a task graph or its file.
std::string title_of(Answer const& answer);

// Text on one line, the whole answer of `parcast predict --json` in it. Invalid UTF-8 (a thread's name can
// hold any byte) becomes U+FFFD.
std::string view_json(Answer const& prediction, PageOffer const& offer, std::string_view version);

// A run that was measured, which a page shows below its prediction.
struct MeasuredExecutionFacts {
    std::string file;
    std::vector<std::string> command;  // that ran
    std::uint32_t cpus = 1;
    std::vector<std::uint32_t> cpu_numbers;  // of the system, in the order of the lanes; others were not used
};

// `parcast.measured-execution/1`: docs/formats/measured-execution.schema.json. Text on one line.
std::string measured_execution_json(MeasuredExecutionFacts const& facts, Catalogue const& catalogue,
                                    std::string_view version);

// Of the replays that ranges take, which come last.
struct RangeReplays {
    std::size_t begun = 0;  // before the one that was begun last
    std::size_t all = 0;
};

// How far the runs are that a page waits for.
struct ViewProgress {
    bool is_complete = false;
    bool is_known = false;  // there is an overview, without the runs
    bool is_paused = false;
    std::string error;                                                    // a sentence; empty: none
    std::vector<std::uint32_t> cpus;                                      // to make runs on
    std::vector<std::uint32_t> running;                                   // a number of CPUs for each run
    std::vector<std::pair<std::uint32_t, std::optional<double>>> points;  // ns by CPUs; none: a deadlock
    std::optional<RangeReplays> range_replays;                            // none: not begun
};

// `parcast.view-progress/1`: docs/formats/view-progress.schema.json.
std::string progress_json(ViewProgress const& progress);

// Lines of a source file around a place.
struct SourceExcerpt {
    std::string file;
    std::uint32_t first_line = 1;
    std::vector<std::string> lines;
};

std::string source_json(SourceExcerpt const& excerpt);

struct SiteExcerpt {
    std::uint32_t site = 0;
    SourceExcerpt excerpt;
};

// {"5": {...}}: by the number of the site.
std::string sources_json(std::vector<SiteExcerpt> const& excerpts);

}  // namespace parcast::report
