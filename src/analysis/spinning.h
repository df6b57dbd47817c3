// Threads that wait by running: what one recording on one CPU can show of it.
//
// 1. Rows of yields, certain: yields from one site with nothing recorded and less than `between_yields` of
//    CPU time in between. A site is reported if it has a row of at least `least_row`, or if in its rows at
//    least `least_handed_over` yields gave the CPU to other threads. A yield that returns at once does not:
//    the recorder lets the first ones of a row return so, that a lock that yields a few times before it
//    blocks can block. Tries of a lock that fail are such calls as well, with yields between them or without.
// 2. Single yields that gave the CPU to other threads, just after the thread woke one (a signal, a post), and
//    just before a lock, under which it may look what came of it, a doubt: on one CPU whoever is waited for
//    runs during the first yield of a row, which is the last one then. Counted at a site with at least
//    `least_single_yields` of them; reported together.
// 3. Polling, a note: more than `many_yields` yields that are more than a quarter of the thread's events (of
//    lock, yield, unlock they are a third).
// 4. Whole slices, a hint: stretches without an event that took a whole number of timer ticks of CPU time,
//    within `slice_jitter`. Who spins is preempted at a tick, and ends as soon as it runs again, or spins on
//    to the next tick. Who computes ends at any time of its slice: 1 stretch in 25 looks so. Reported are
//    threads with at least `least_slices` such stretches that are at least two fifths of its long ones, and
//    not mostly of one length, as equal pieces of work would be.
//
// Not found: a thread that spins on a variable and then computes on without a call, such as a hand-written
// spin lock without yields. Its recording is that of a thread that computes.
//
// The numbers are measured, on Linux 6.18 with ticks of 4 ms and other load on the machine: of 40 stretches
// that ended with a flag that another thread set, 25 were whole slices within 20 us. That another thread did
// something just before is no sign: threads with equal work between barriers arrive one just after the
// other (9 of 12 times within 100 us).

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/event.h"

namespace parcast::analysis {

inline constexpr std::int64_t least_row = 50;
inline constexpr std::int64_t least_handed_over = 10;
inline constexpr Duration between_yields{5'000};
inline constexpr Duration handed_over{1'000};  // a yield that runs another spinning thread takes 2 us or more
inline constexpr std::int64_t least_single_yields = 100;
inline constexpr std::int64_t many_yields = 10'000;
inline constexpr Duration long_stretch{3'000'000};
inline constexpr Duration slice_jitter{20'000};
inline constexpr std::int64_t least_slices = 6;

enum class SpinEvidence : std::uint8_t {
    rows_of_yields,
    rows_of_tries,
    single_yields,
    before_waits,  // spins_before_waits.h
    polling,
    whole_slices
};

struct Spinning {
    SpinEvidence evidence = SpinEvidence::rows_of_yields;
    ThreadId thread = ThreadId::none();
    SiteId site = SiteId::none();  // of the yields, or of the call that ended the latest stretch
    std::int64_t count = 0;        // of yields, of tries that failed, or of stretches
    Duration cpu;                  // that went into them
    Duration others;               // that other threads ran during the yields
};

// Looks at one thread after the other, its events in their order.
class SpinningSearch {
public:
    void add(Event const& event);
    void end_thread(ThreadId thread);
    // By kind of evidence, then by falling time (that of the thread and of the others), then thread.
    std::vector<Spinning> finish();

private:
    // Calls in vain that follow each other.
    struct Row {
        SiteId site;                     // of the first one
        std::optional<SiteId> try_site;  // of the first try: what the row waits for is said by its tries
        std::int64_t calls = 0;
        std::int64_t tries = 0;
        std::int64_t handed_over = 0;
        Duration cpu;
        Duration others;
        bool follows_release = false;
        bool looks_again = false;  // after the last of them
        Event last;
    };
    // The rows of one site.
    struct RowsOfSite {
        Spinning found;
        std::int64_t in_long_rows = 0;
        std::int64_t handed_over = 0;
        bool are_waiting(SpinEvidence evidence) const {
            return evidence == SpinEvidence::single_yields
                       ? handed_over >= least_single_yields
                       : in_long_rows > 0 || handed_over >= least_handed_over;
        }
    };
    // Stretches of whole ticks of one length.
    struct Slices {
        Spinning found;
        std::map<std::int64_t, std::int64_t> of_length;  // how many stretches took that many ticks
        std::int64_t most_of_one_length = 0;
    };
    // All of one thread.
    struct State {
        std::int64_t events = 0;
        EventKind previous = EventKind::thread_begin;
        std::optional<Row> row;
        std::map<std::pair<SpinEvidence, SiteId>, RowsOfSite> rows;
        Spinning polling;
        std::array<Slices, 2> slices;  // for each period of ticks
        std::int64_t stretches = 0;
    };

    void leave_previous(Event const& event);
    void add_to_row(Event const& event);
    void end_row();
    void add_stretch(Event const& event);
    bool report_rows(ThreadId thread);
    void report_polling(ThreadId thread);
    void report_slices(ThreadId thread);

    State state_;
    std::vector<Spinning> found_;
};

}  // namespace parcast::analysis
