// How much of a program's completion each function, lock, thread and place decides: the sum of the weights of
// its work on the extended critical path (extended_critical_path.h). Making all of it 1 % shorter makes the
// program shorter by 1 % of that, as far as the same path stays the longest.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "analysis/extended_critical_path.h"
#include "answer/advice.h"
#include "program/work_owners.h"

namespace parcast::analysis {

struct OwnedWork {
    std::int64_t calls = 0;  // of a function, if they were recorded; else pieces
    double work_ns = 0;
};

struct DecidedTime {
    double completion_ns = 0;        // of the extended critical path
    std::vector<double> decided_ns;  // by owner: weight * work
};

// A piece of work in the unbounded run.
struct WorkSegment {
    ThreadId thread;
    SiteId site;  // of the call after it
    Instant begin;
    Instant end;
};

class WhatToChange {
public:
    // Both are the caller's, for the life of this. REQUIRES: the graph is of an unbounded run of the program.
    WhatToChange(ThreadProgram const& program, CauseGraph const& graph);

    WorkOwners const& owners() const { return owners_; }
    std::vector<OwnedWork> const& work() const { return work_; }  // by owner

    // speeds[k - 1]: of each of k busy processors; empty: they do not slow each other down.
    // REQUIRES: cpus >= 1.
    DecidedTime on(std::uint32_t cpus, std::span<double const> speeds = {}) const;

    // Every piece of work, thread by thread, in its order; and, in the same order, what each weighs.
    std::vector<WorkSegment> segments() const;
    std::vector<double> weights_times_cpus(std::uint32_t cpus, std::span<double const> speeds = {}) const;
    // By thread, then by operation: the weight of the work before it.
    std::vector<std::vector<float>> weights_on(std::uint32_t cpus, std::span<double const> speeds = {}) const;

private:
    template <class Visit>
    void for_each_weighed_piece(Visit visit) const;
    // Hands over the weights: whole multiples of 1 / cpus, or doubles with speeds.
    template <class Use>
    void weigh(std::uint32_t cpus, std::span<double const> speeds, Use use) const;

    ThreadProgram const& program_;
    WorkOwners owners_;
    ExtendedCriticalPath path_;
    std::vector<std::uint32_t> first_event_;  // by thread, into events_
    std::vector<EventNumber> events_;         // at which work ends, by thread
    CauseGraph const& graph_;
    std::vector<OwnedWork> work_;
};

// All work, by owner.
std::vector<ChangeableWork> changeable_work(WhatToChange const& what);

// What all that has work decides, falling.
std::vector<AdviceRow> rows_of(DecidedTime const& decided, std::vector<ChangeableWork> const& work);

// Functions, locks and groups of tasks; not threads and places, whose work is a function's, too.
bool is_changeable(OwnerKind kind);

// The row that brings most, or that of a lock which brings nearly as much with less work: the work under it
// is work of the function. None: nothing brings anything.
std::optional<std::size_t> first_to_change(std::vector<AdviceRow> const& rows,
                                           std::vector<ChangeableWork> const& work,
                                           std::function<double(AdviceRow const&)> const& brings);
// By the weights: what it decides.
std::optional<std::size_t> first_to_change(std::vector<AdviceRow> const& rows,
                                           std::vector<ChangeableWork> const& work);

// What half of it brings most, where that was tried; else at.first.
std::optional<std::size_t> first_by_trial(AdviceOnCpus const& at, std::vector<ChangeableWork> const& work);

// What each owner of work decides there, and what to change first. Neither replayed nor tried. `work`:
// changeable_work(what). REQUIRES: cpus >= 1.
AdviceOnCpus advice_on(WhatToChange const& what, std::vector<ChangeableWork> const& work, std::uint32_t cpus,
                       std::span<double const> speeds = {});

// With how many tenths of its work gone the first to change is no longer first: halves between what is known.
struct OvertakingSearch {
    static constexpr int tenths = 10;
    int leads = 0;      // with so many tenths gone
    int lost = tenths;  // with so many it does not; all of them: not known yet

    int next() const { return lost == tenths ? tenths - 1 : (leads + lost) / 2; }
    bool is_over() const { return lost - leads <= 1; }
    bool is_overtaken() const { return lost != tenths; }
    void found(int tenths_gone, bool still_leads) { (still_leads ? leads : lost) = tenths_gone; }
    static double factor(int tenths_gone) { return static_cast<double>(tenths - tenths_gone) / tenths; }
};

}  // namespace parcast::analysis
