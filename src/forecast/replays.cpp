#include "forecast/replays.h"

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <utility>

#include "answer/lock_cycle.h"
#include "forecast/results_of.h"
#include "simulate/takes_on_one_cpu.h"

namespace parcast::forecast {

namespace {

// Rounds with more and more conditions that pair. None of the programs tried needed a second one.
constexpr int most_rounds = 8;

bool has_deadlock(Run const& run) {
    return run.deadlock.has_value();
}

std::ptrdiff_t deadlocks(Replays const& replays) {
    return std::ranges::count_if(replays.runs, has_deadlock);
}

// One replay. A task carries what its replay throws (out of memory) over to who asks for the result.
using Task = std::packaged_task<Result<Run>()>;

Result<Run> replay(CheckedProgram const& program, Machine const& machine, simulate::Pairing pairing,
                   ReplayDetail const& detail) {
    detail.listener.run_begins(machine.cpus);
    bool const is_kept = std::binary_search(detail.cpus.begin(), detail.cpus.end(), machine.cpus);
    auto run = simulate::run(program, machine,
                             {.with_timeline = is_kept && detail.detail != RunDetail::totals,
                              .with_arrivals = is_kept && detail.detail == RunDetail::operations,
                              .pairing = pairing});
    if (run && run->timeline && run->timeline->intervals->size() > detail.most_intervals)
        run->timeline.reset();
    if (run)
        detail.listener.run_ended(*run);
    return run;
}

std::vector<Task> tasks_for(CheckedProgram const& program, std::span<Machine const> machines,
                            simulate::Pairing pairing, ReplayDetail const& detail) {
    std::vector<Task> tasks;
    for (Machine const& machine : machines)
        tasks.emplace_back([&, pairing] { return replay(program, machine, pairing, detail); });
    return tasks;
}

// The results in the order of the tasks. Errors: the first in that order.
Result<std::vector<Run>> run_all(std::vector<Task>& tasks, unsigned workers) {
    std::vector<Run> runs;
    for (auto& run : results_of(tasks, workers)) {
        if (!run)
            return pass_on(run);
        runs.push_back(std::move(*run));
    }
    return runs;
}

Result<Replays> replay_paired(simulate::Pairing pairing, CheckedProgram const& program,
                              std::span<Machine const> machines, unsigned workers,
                              ReplayDetail const& detail) {
    std::vector<Task> tasks = tasks_for(program, machines, pairing, detail);
    auto const add_unbounded = [&](Waiting const& waiting) {
        tasks.emplace_back([&, waiting] {
            detail.listener.run_begins(std::nullopt);
            return simulate::run_unbounded(program, pairing, false, waiting);
        });
    };
    auto const& waiting = machines.front().waiting;
    add_unbounded(waiting);
    bool const matters = waiting.team_spin > Duration{0} && team_waking_ns(*program) > 0;
    if (matters)
        add_unbounded({.team_spin = {0}, .crowded_team_spin = {0}});
    auto runs = run_all(tasks, workers);
    if (!runs)
        return pass_on(runs);
    Replays replays{
        .pairing = pairing, .runs = {}, .unbounded = {}, .asleep = {}, .abandoned = {}, .beside = {}};
    if (matters) {
        replays.asleep = std::move(runs->back());
        runs->pop_back();
    }
    replays.unbounded = std::move(runs->back());
    runs->pop_back();
    replays.runs = std::move(*runs);
    return replays;
}

// The conditions at which so many threads of one replay or more are stuck pair as recorded from now on, if
// their waits say what they took: others would not wait at all. False if all of them did before.
bool pair_where_stuck(std::span<Run const> runs, std::size_t fewest, ThreadProgram& program) {
    bool added = false;
    auto const without_takes = simulate::conditions_without_takes(program);
    for (Run const& run : runs) {
        if (!run.deadlock)
            continue;
        std::map<ObjectId, std::size_t> stuck;
        for (StuckThread const& thread : run.deadlock->threads) {
            // A thread that has its token may still wait for the mutex, which has a holder.
            bool const needs_token = thread.awaited == Awaited::token && thread.holder.is_none();
            if (needs_token && !thread.object.is_none())
                ++stuck[thread.object];
        }
        for (auto const& [object, threads] : stuck) {
            if (without_takes[object.index()])
                continue;
            bool& pairs = program.objects[object.index()].pairs_as_recorded;
            added = added || (threads >= fewest && !pairs);
            pairs = pairs || threads >= fewest;
        }
    }
    return added;
}

// Where several threads wait for the same, they are handed work there; once each gets the pieces that it had,
// the waits for what it makes of them mostly come right by themselves.
bool pair_more(std::span<Run const> runs, ThreadProgram& program) {
    return pair_where_stuck(runs, 2, program) || pair_where_stuck(runs, 1, program);
}

void pair_nothing(ThreadProgram& program) {
    for (ObjectParameters& object : program.objects)
        object.pairs_as_recorded = false;
}

// The direct model, with as few conditions that pair as recorded as it takes to avoid the deadlocks of
// `direct`; none if no conditions do. REQUIRES: `checked` is `program`.
Result<std::optional<Replays>> replay_without_deadlock(ThreadProgram& program, CheckedProgram const& checked,
                                                       std::span<Machine const> machines, unsigned workers,
                                                       ReplayDetail const& detail, Replays const& direct) {
    std::optional<Replays> replays;
    for (int round = 0; round < most_rounds && pair_more(replays ? replays->runs : direct.runs, program);
         ++round) {
        auto next = replay_paired(simulate::Pairing::any, checked, machines, workers, detail);
        if (!next)
            return pass_on(next);
        replays = std::move(*next);
        if (std::ranges::none_of(replays->runs, has_deadlock))
            return replays;
    }
    pair_nothing(program);
    return std::optional<Replays>();
}

// The last resort; none if even that deadlocks. The program is then as it was.
Result<std::optional<Replays>> replay_in_order(ThreadProgram& program, std::span<Machine const> machines,
                                               unsigned workers, ReplayDetail const& detail) {
    use_hand_outs(HandOuts::recorded, program);
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto ordered = replay_paired(simulate::Pairing::ordered, *checked, machines, workers, detail);
    if (!ordered)
        return pass_on(ordered);
    if (deadlocks(*ordered) > 0) {
        use_hand_outs(HandOuts::anew, program);
        return std::optional<Replays>();
    }
    return std::optional(std::move(*ordered));
}

// The deadlocks of `replaced` are kept beside what took over.
void abandon(Replays& replaced, std::vector<AbandonedRun>& abandoned) {
    for (Run& run : replaced.runs) {
        if (!run.deadlock)
            continue;
        run.timeline.reset();
        abandoned.push_back({replaced.pairing, std::move(run)});
    }
}

bool has_lock_cycle(Run const& run) {
    return run.deadlock && !lock_cycle(*run.deadlock).empty();
}

// The models one after the other, and what is left of those that were tried.
class ModelChoice {
public:
    // All are the caller's. REQUIRES: `checked` is `program`, with work handed out anew.
    ModelChoice(ThreadProgram& program, CheckedProgram const& checked, std::span<Machine const> machines,
                unsigned workers, ReplayDetail const& detail)
        : program_(program), checked_(checked), machines_(machines), workers_(workers), detail_(detail) {}

    Result<Replays> replay(simulate::Pairing pairing) {
        return replay_paired(pairing, checked_, machines_, workers_, detail_);
    }

    Result<Replays> automatic() {
        auto direct = replay(simulate::Pairing::any);
        if (!direct || deadlocks(*direct) == 0)
            return direct;
        auto const is_known = simulate::take_as_on_one_cpu(program_);
        if (!is_known)
            return pass_on(is_known);
        auto paired = replay_without_deadlock(program_, checked_, machines_, workers_, detail_, *direct);
        if (!paired)
            return pass_on(paired);
        if (*paired)
            return replacing(std::move(**paired), *direct);
        if (!*is_known)
            return direct;
        std::optional<Replays> server;
        if (simulate::cuts_lists(program_)) {
            auto replays = replay(simulate::Pairing::client_server);
            if (!replays)
                return pass_on(replays);
            if (deadlocks(*replays) == 0 && !has_deadlock(replays->unbounded))
                return replacing(std::move(*replays), *direct);
            server = std::move(*replays);
        }
        auto strict = replay(simulate::Pairing::recorded);
        if (!strict)
            return pass_on(strict);
        if (deadlocks(*strict) == 0)
            return replacing(std::move(*strict), *direct, server ? &*server : nullptr);
        auto ordered = ordered_unless_locks_cross(*strict);
        if (!ordered)
            return pass_on(ordered);
        if (*ordered)
            return replacing(std::move(**ordered), *direct, server ? &*server : nullptr, &*strict);
        return deadlocks(*strict) < deadlocks(*direct) ? replacing(std::move(*strict), *direct)
                                                       : std::move(direct);
    }

    Result<Replays> strict() {
        auto strict = replay(simulate::Pairing::recorded);
        if (!strict || deadlocks(*strict) == 0)
            return strict;
        auto ordered = ordered_unless_locks_cross(*strict);
        if (!ordered)
            return pass_on(ordered);
        return *ordered ? replacing(std::move(**ordered), *strict) : std::move(strict);
    }

    // Every model, with totals alone.
    Result<std::vector<ModelRuns>> side_by_side() {
        ReplayDetail const totals;
        ModelChoice choice(program_, checked_, machines_, workers_, totals);
        std::vector<ModelRuns> all;
        auto const add = [&](Result<Replays> replays) -> Result<void> {
            if (!replays)
                return pass_on(replays);
            all.push_back({replays->pairing, std::move(replays->runs)});
            return {};
        };
        auto added = add(choice.replay(simulate::Pairing::any));
        auto const is_known = simulate::take_as_on_one_cpu(program_);
        if (!is_known)
            return pass_on(is_known);
        if (!*is_known)
            return added ? Result<std::vector<ModelRuns>>(std::move(all)) : pass_on(added);
        for (auto const pairing : {simulate::Pairing::client_server, simulate::Pairing::recorded})
            if (added)
                added = add(choice.replay(pairing));
        if (added && std::ranges::any_of(all.back().runs, has_deadlock)) {
            auto ordered = replay_in_order(program_, machines_, workers_, totals);
            use_hand_outs(HandOuts::anew, program_);
            if (!ordered)
                return pass_on(ordered);
            if (*ordered)
                added = add(std::move(**ordered));
        }
        return added ? Result<std::vector<ModelRuns>>(std::move(all)) : pass_on(added);
    }

private:
    // The last resort, unless the program's own locks cross.
    Result<std::optional<Replays>> ordered_unless_locks_cross(Replays const& strict) {
        if (std::ranges::any_of(strict.runs, has_lock_cycle))
            return std::optional<Replays>();
        return replay_in_order(program_, machines_, workers_, detail_);
    }

    template <class... Others>
    static Replays replacing(Replays by, Replays& first, Others... others) {
        abandon(first, by.abandoned);
        ((others ? abandon(*others, by.abandoned) : void()), ...);
        return by;
    }

    ThreadProgram& program_;
    CheckedProgram const& checked_;
    std::span<Machine const> machines_;
    unsigned workers_;
    ReplayDetail const& detail_;
};

}  // namespace

Result<std::vector<Run>> replay_all(ThreadProgram const& program, std::span<Machine const> machines,
                                    unsigned workers, simulate::Pairing pairing) {
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    ReplayDetail const totals;
    std::vector<Task> tasks = tasks_for(*checked, machines, pairing, totals);
    return run_all(tasks, workers);
}

Result<Replays> replay_under(ReplayModel model, ThreadProgram& program, std::span<Machine const> machines,
                             unsigned workers, ReplayDetail const& detail) {
    pair_nothing(program);
    use_hand_outs(model == ReplayModel::ordered ? HandOuts::recorded : HandOuts::anew, program);
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    ModelChoice choice(program, *checked, machines, workers, detail);
    if (model == ReplayModel::direct)
        return choice.replay(simulate::Pairing::any);
    if (model == ReplayModel::automatic)
        return choice.automatic();
    if (model == ReplayModel::all) {
        auto beside = choice.side_by_side();
        if (!beside)
            return pass_on(beside);
        auto replays = choice.automatic();
        if (replays)
            replays->beside = std::move(*beside);
        return replays;
    }
    auto const is_known = simulate::take_as_on_one_cpu(program);
    if (!is_known)
        return pass_on(is_known);
    if (!*is_known)
        return choice.replay(simulate::Pairing::any);
    if (model == ReplayModel::strict)
        return choice.strict();
    return choice.replay(model == ReplayModel::ordered ? simulate::Pairing::ordered
                                                       : simulate::Pairing::client_server);
}

}  // namespace parcast::forecast
