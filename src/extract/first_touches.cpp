#include "extract/first_touches.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/counted.h"

namespace parcast::extract {

namespace {

using List = std::vector<Operation>;

constexpr double least_explained = 0.95;
constexpr double least_of_price = 0.7;  // of what parcast measured, which is the time under the lock
constexpr double most_of_price = 2;

// A thread's operations [first, last) of a phase.
struct TeamPart {
    ThreadId thread;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::int64_t work_ns = 0;
    std::int64_t held_ns = 0;                // of that, under the memory map's lock for page faults
    std::vector<std::uint32_t> faults = {};  // where they take the lock; the next operation gives it back
    std::uint32_t longest = 0;  // the operation outside of all locks with the most work before it
    bool has_free_work = false;
    bool creates = false;
};
using TeamPhase = std::vector<TeamPart>;

// A page fault that another thread is to have, before that operation of its list.
struct Move {
    ThreadId from;
    std::uint32_t fault = 0;
    std::int64_t beside_ns = 0;  // CPU time that goes with it, beside that under the lock
    ThreadId to;
    std::uint32_t before = 0;
};

bool is_of_kernels(ThreadProgram const& program, Operation const& operation, OperationKind kind) {
    return operation.kind() == kind && program.objects[operation.object].kernel_lock != KernelLock::none;
}

// What one thread does in each phase, and at which barriers it arrives in between.
class PartsOfThread {
public:
    PartsOfThread(ThreadProgram const& program, ThreadId thread)
        : program_(program), part_{.thread = thread} {
        auto const& list = program.lists[thread.index()];
        for (std::uint32_t at = 0; at < list.size(); ++at) {
            add(list, at);
            if (is_arrival(list[at].kind())) {
                barriers_.push_back(object_of(program, list[at]).value);
                end_at(at + 1, thread);
            }
        }
        end_at(static_cast<std::uint32_t>(list.size()), thread);
    }

    std::vector<std::uint32_t> const& barriers() const { return barriers_; }
    std::vector<TeamPart> parts() && { return std::move(parts_); }

private:
    void add(List const& list, std::uint32_t at) {
        auto const& operation = list[at];
        part_.work_ns += operation.work_ns;
        part_.creates = part_.creates || operation.kind() == OperationKind::create;
        bool const is_fault = is_of_kernels(program_, operation, OperationKind::read_lock) &&
                              is_of_kernels(program_, list[at + 1], OperationKind::read_write_unlock);
        if (is_fault) {
            part_.faults.push_back(at);
            part_.held_ns += list[at + 1].work_ns;
        }
        if (held_ == 0 && (!part_.has_free_work || operation.work_ns > list[part_.longest].work_ns)) {
            part_.longest = at;
            part_.has_free_work = true;
        }
        auto const role = traits_of(operation.kind()).role;
        held_ += role == Role::takes_lock ? 1 : role == Role::releases_lock && held_ > 0 ? -1 : 0;
    }

    void end_at(std::uint32_t last, ThreadId thread) {
        part_.last = last;
        parts_.push_back(std::exchange(part_, {.thread = thread, .first = last}));
    }

    ThreadProgram const& program_;
    TeamPart part_;
    std::int64_t held_ = 0;  // locks
    std::vector<std::uint32_t> barriers_;
    std::vector<TeamPart> parts_;
};

std::vector<TeamPhase> phases_of_teams(ThreadProgram const& program) {
    std::map<std::vector<std::uint32_t>, std::vector<std::vector<TeamPart>>> teams;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        PartsOfThread of_thread(program, ThreadId(thread));
        if (auto barriers = of_thread.barriers(); !barriers.empty())
            teams[std::move(barriers)].push_back(std::move(of_thread).parts());
    }
    std::vector<TeamPhase> phases;
    for (auto& [barriers, members] : teams) {
        for (std::size_t phase = 0; members.size() > 1 && phase <= barriers.size(); ++phase) {
            auto& parts = phases.emplace_back();
            for (auto& member : members)
                parts.push_back(std::move(member[phase]));
        }
    }
    return phases;
}

// What a page fault takes, by all conditions; none if they do not hold.
std::optional<double> price_of_fault(TeamPhase const& phase) {
    auto const by_faults = [](TeamPart const& part) { return part.faults.size(); };
    auto const [fewest, most] = std::ranges::minmax(phase, {}, by_faults);
    bool const may_move = std::ranges::none_of(phase, &TeamPart::creates) &&
                          std::ranges::all_of(phase, &TeamPart::has_free_work);
    if (!may_move || most.faults.size() - fewest.faults.size() < fewest_apart)
        return std::nullopt;
    double faults = 0;
    double work = 0;
    double held = 0;
    for (auto const& part : phase) {
        faults += static_cast<double>(part.faults.size());
        work += static_cast<double>(part.work_ns);
        held += static_cast<double>(part.held_ns);
    }
    auto const threads = static_cast<double>(phase.size());
    double ff = 0;
    double fw = 0;
    double ww = 0;
    for (auto const& part : phase) {
        double const f = static_cast<double>(part.faults.size()) - faults / threads;
        double const w = static_cast<double>(part.work_ns) - work / threads;
        ff += f * f;
        fw += f * w;
        ww += w * w;
    }
    double const slope = fw / ff;
    double const under_lock = held / faults;
    bool const is_price = slope >= least_of_price * under_lock && slope <= most_of_price * under_lock;
    return is_price && fw * fw >= least_explained * ff * ww ? std::optional(slope) : std::nullopt;
}

// The last ones of those who have more than their share, to those who have less.
void share_out(ThreadProgram const& program, TeamPhase const& phase, double price_ns,
               std::vector<Move>& moves) {
    std::size_t all = 0;
    for (auto const& part : phase)
        all += part.faults.size();
    auto const share = [&](std::size_t member) {
        return all / phase.size() + (member < all % phase.size() ? 1 : 0);
    };
    std::size_t to = 0;
    std::size_t taken = 0;
    for (std::size_t from = 0; from < phase.size(); ++from) {
        auto const& giver = phase[from];
        auto const& list = program.lists[giver.thread.index()];
        for (std::size_t left = giver.faults.size(); left > share(from); --left) {
            for (; phase[to].faults.size() + taken >= share(to); taken = 0)
                ++to;
            ++taken;
            auto const fault = giver.faults[left - 1];
            auto const beside_ns = static_cast<std::int64_t>(price_ns) - list[fault + 1].work_ns;
            moves.push_back({giver.thread, fault, std::clamp<std::int64_t>(beside_ns, 0, list[fault].work_ns),
                             phase[to].thread, phase[to].longest});
        }
    }
}

// The list of a thread that gives page faults away or gets some.
class RebuiltList {
public:
    // `given` and `gotten`: those of the thread, by their place in its list.
    RebuiltList(ThreadProgram const& program, ThreadId thread, std::span<Move const> given,
                std::span<Move const> gotten)
        : program_(program) {
        auto const& own = program.lists[thread.index()];
        list_.reserve(own.size() + 2 * gotten.size() - 2 * given.size());
        for (std::uint32_t at = 0; at < own.size(); ++at) {
            for (; !gotten.empty() && gotten.front().before == at; gotten = gotten.subspan(1))
                take(gotten.front());
            if (!given.empty() && given.front().fault == at) {
                auto const left_ns = own[at].work_ns - given.front().beside_ns;
                carried_ns_ += left_ns;
                if (left_ns > 0)
                    carry_shares(thread, at);
                given = given.subspan(1);
                ++at;  // what gives the lock back goes with it
                continue;
            }
            carry_shares(thread, at);
            add(own[at], own[at].work_ns + std::exchange(carried_ns_, 0));
        }
    }

    List& list() { return list_; }
    std::vector<WorkShare>& shares() { return shares_; }

private:
    void take(Move const& move) {
        auto const& from = program_.lists[move.from.index()];
        auto carried = std::exchange(carried_, {});
        carry_shares(move.from, move.fault);
        for (auto& share : carried_)
            share.calls = share.deeper_calls = 0;  // they stay
        add(from[move.fault], move.beside_ns);
        carry_shares(move.from, move.fault + 1);
        add(from[move.fault + 1], from[move.fault + 1].work_ns);
        carried_ = std::move(carried);
    }

    void add(Operation operation, std::int64_t work_ns) {
        for (auto& share : carried_) {
            share.piece = static_cast<std::uint32_t>(list_.size());
            shares_.push_back(share);
        }
        carried_.clear();
        operation.work_ns = work_ns;
        list_.push_back(operation);
    }

    void carry_shares(ThreadId thread, std::uint32_t piece) {
        if (program_.shares.empty())
            return;
        auto const found =
            std::ranges::equal_range(program_.shares[thread.index()], piece, {}, &WorkShare::piece);
        carried_.insert(carried_.end(), found.begin(), found.end());
    }

    ThreadProgram const& program_;
    List list_;
    std::vector<WorkShare> shares_;
    std::int64_t carried_ns_ = 0;     // to the next operation
    std::vector<WorkShare> carried_;  // likewise
};

// The moves of each thread, by their place in its list.
std::vector<std::vector<Move>> by_thread(std::span<Move const> moves, std::size_t threads,
                                         ThreadId Move::* whose, std::uint32_t Move::* place) {
    std::vector<std::vector<Move>> sorted(threads);
    for (auto const& move : moves)
        sorted[(move.*whose).index()].push_back(move);
    for (auto& each : sorted)
        std::ranges::stable_sort(each, {}, place);
    return sorted;
}

void move_all(std::span<Move const> moves, ThreadProgram& program) {
    auto const threads = program.lists.size();
    auto const given = by_thread(moves, threads, &Move::from, &Move::fault);
    auto const gotten = by_thread(moves, threads, &Move::to, &Move::before);
    std::vector<std::pair<std::size_t, RebuiltList>> rebuilt;
    for (std::size_t thread = 0; thread < threads; ++thread)
        if (!given[thread].empty() || !gotten[thread].empty())
            rebuilt.emplace_back(thread,
                                 RebuiltList(program, ThreadId(thread), given[thread], gotten[thread]));
    auto& other = program.other
                      ? *program.other
                      : program.other.emplace(OtherHandOuts{HandOuts::recorded, {}, {}, program.assumptions});
    other.lists.resize(threads);
    if (!program.shares.empty())
        other.shares.resize(threads);
    for (auto& [thread, by] : rebuilt) {
        std::swap(program.lists[thread], by.list());
        if (!program.shares.empty())
            std::swap(program.shares[thread], by.shares());
        if (!other.lists[thread].empty())
            continue;
        other.lists[thread] = std::move(by.list());
        if (!program.shares.empty())
            other.shares[thread] = std::move(by.shares());
    }
}

}  // namespace

void share_out_first_touches(ThreadProgram& program) {
    bool const are_noted = std::ranges::any_of(program.objects, [](ObjectParameters const& object) {
        return object.kernel_lock != KernelLock::none;
    });
    if (!are_noted)
        return;
    std::vector<Move> moves;
    std::size_t phases = 0;
    std::size_t members = 0;
    for (auto const& phase : phases_of_teams(program)) {
        auto const price_ns = price_of_fault(phase);
        if (!price_ns)
            continue;
        share_out(program, phase, *price_ns, moves);
        ++phases;
        members = std::max(members, phase.size());
    }
    if (moves.empty())
        return;
    move_all(moves, program);
    auto const count = [](std::size_t number, char const* what) {
        return counted(static_cast<std::int64_t>(number), what);
    };
    program.assumptions.push_back(count(moves.size(), "page fault") + " of " + count(members, "thread") +
                                  (phases > 1 ? " in " + count(phases, "phase") : "") +
                                  " go to others of them that had fewer and did the same otherwise: on one "
                                  "CPU whoever comes first touches "
                                  "the memory of all. --tasks recorded leaves them where they were.");
}

}  // namespace parcast::extract
