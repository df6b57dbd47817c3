#include "extract/first_touches.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/counted.h"

namespace parcast::extract {

namespace {

constexpr double least_explained = 0.95;
constexpr double least_of_price = 0.9;  // of what parcast measured, which is the time under the lock
constexpr double most_of_price = 2;
constexpr std::uint32_t start_of_region = 0xffffffff;  // among meetings, which are barriers otherwise

// What one thread does in a phase.
struct TeamPart {
    ThreadId thread;
    std::int64_t work_ns = 0;
    std::int64_t held_ns = 0;                // of that, under the kernel's lock for page faults
    std::vector<std::uint32_t> faults = {};  // where they take the lock; the next operation gives it back
    std::int64_t near = 0;                   // how many of them are at a page near that of the one before
    std::uint32_t longest = 0;  // the operation outside of all locks with the most work before it
    bool has_free_work = false;
    bool creates = false;
};
using TeamPhase = std::vector<TeamPart>;

// A page fault that another thread is to have, before that operation of its list.
struct Move {
    ThreadId from;
    std::uint32_t fault = 0;
    std::int64_t held_ns = 0;    // CPU time that goes with it, under the lock
    std::int64_t beside_ns = 0;  // and beside that
    ThreadId to;
    std::uint32_t before = 0;
};

bool is_of_kernels(ThreadProgram const& program, Operation const& operation, OperationKind kind) {
    return operation.kind() == kind && program.objects[operation.object].kernel_lock != KernelLock::none;
}

bool is_fault(ThreadProgram const& program, OperationList const& list, std::uint32_t at) {
    return is_of_kernels(program, list[at], OperationKind::read_lock) &&
           is_of_kernels(program, list[at + 1], OperationKind::read_write_unlock) &&
           list[at].object == list[at + 1].object;
}

bool starts_region(ThreadProgram const& program, Operation const& operation) {
    auto const kind = operation.kind();
    return (kind == OperationKind::semaphore_wait || kind == OperationKind::semaphore_post) &&
           program.objects[operation.object].team;
}

// What one thread does in each phase, and where it meets others in between.
class PartsOfThread {
public:
    PartsOfThread(ThreadProgram const& program, ThreadId thread)
        : program_(program), part_{.thread = thread} {
        auto const& list = program.lists[thread.index()];
        for (std::uint32_t at = 0; at < list.size(); ++at) {
            add(list, at);
            if (is_arrival(list[at].kind()))
                arrive(list[at]);
            // Who starts a region does so for each of the others.
            else if (starts_region(program, list[at]) &&
                     (meetings_.empty() || meetings_.back() != start_of_region))
                meet(start_of_region);
        }
        parts_.push_back(std::move(part_));
    }

    std::vector<std::uint32_t> const& meetings() const { return meetings_; }
    std::int64_t fewest_participants() const { return fewest_participants_; }
    std::vector<TeamPart> parts() && { return std::move(parts_); }

private:
    void add(OperationList const& list, std::uint32_t at) {
        auto const operation = list[at];
        part_.work_ns += operation.work_ns;
        part_.creates = part_.creates || operation.kind() == OperationKind::create;
        if (held_ == 0)
            add_free(list, at);
        auto const role = traits_of(operation.kind()).role;
        held_ += role == Role::takes_lock ? 1 : role == Role::releases_lock && held_ > 0 ? -1 : 0;
    }

    // Outside of all locks.
    void add_free(OperationList const& list, std::uint32_t at) {
        if (is_fault(program_, list, at)) {
            part_.faults.push_back(at);
            part_.held_ns += list[at + 1].work_ns;
            part_.near += list[at].value != 0 ? 1 : 0;
        }
        if (!part_.has_free_work || list[at].work_ns > list[part_.longest].work_ns) {
            part_.longest = at;
            part_.has_free_work = true;
        }
    }

    void arrive(Operation const& arrival) {
        auto const participants =
            arrival.kind() == OperationKind::condition_barrier
                ? program_.barriers[static_cast<std::size_t>(arrival.value)].participants
                : arrival.value;
        fewest_participants_ = std::min(fewest_participants_, participants);
        meet(object_of(program_, arrival).value);
    }

    void meet(std::uint32_t place) {
        meetings_.push_back(place);
        auto const thread = part_.thread;
        parts_.push_back(std::exchange(part_, {.thread = thread}));
    }

    ThreadProgram const& program_;
    TeamPart part_;
    std::int64_t held_ = 0;  // locks
    std::int64_t fewest_participants_ = std::numeric_limits<std::int64_t>::max();
    std::vector<std::uint32_t> meetings_;
    std::vector<TeamPart> parts_;
};

std::vector<TeamPhase> phases_of_teams(ThreadProgram const& program) {
    struct Team {
        std::int64_t most_members = 0;
        std::vector<std::vector<TeamPart>> members;
    };
    std::map<std::vector<std::uint32_t>, Team> teams;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        PartsOfThread of_thread(program, ThreadId(thread));
        if (of_thread.meetings().empty())
            continue;
        auto& team = teams[of_thread.meetings()];
        team.most_members = of_thread.fewest_participants();
        team.members.push_back(std::move(of_thread).parts());
    }
    std::vector<TeamPhase> phases;
    for (auto& [meetings, team] : teams) {
        // More than meet at once: others came there before or after them.
        bool const is_one =
            team.members.size() > 1 && std::cmp_less_equal(team.members.size(), team.most_members);
        for (std::size_t phase = 0; is_one && phase <= meetings.size(); ++phase) {
            auto& parts = phases.emplace_back();
            for (auto& member : team.members)
                parts.push_back(std::move(member[phase]));
        }
    }
    return phases;
}

// CPU time over page faults, by least squares.
struct Line {
    double faults = 0;     // of a thread, mean
    double held_ns = 0;    // of a fault, mean
    double slope = 0;      // ns
    double begin = 0;      // ns
    double explained = 0;  // of how far CPU times lie apart
};

Line line_through(TeamPhase const& phase) {
    auto const threads = static_cast<double>(phase.size());
    double faults = 0;
    double work = 0;
    double held = 0;
    for (auto const& part : phase) {
        faults += static_cast<double>(part.faults.size());
        work += static_cast<double>(part.work_ns);
        held += static_cast<double>(part.held_ns);
    }
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
    return {faults / threads, held / faults, slope, (work - slope * faults) / threads, fw * fw / (ff * ww)};
}

// What a page fault takes, by all conditions; none if they do not hold.
std::optional<double> price_of_fault(TeamPhase const& phase) {
    auto const number_of_faults = [](TeamPart const& part) { return part.faults.size(); };
    auto const [fewest, most] = std::ranges::minmax(phase, {}, number_of_faults);
    bool const may_move = std::ranges::none_of(phase, &TeamPart::creates) &&
                          std::ranges::all_of(phase, &TeamPart::has_free_work);
    if (!may_move || most.faults.size() - fewest.faults.size() < fewest_apart)
        return std::nullopt;
    std::int64_t near = 0;
    for (auto const& part : phase)
        near += part.near;
    auto const line = line_through(phase);
    double const all_faults = line.faults * static_cast<double>(phase.size());
    bool const is_price =
        line.slope >= least_of_price * line.held_ns && line.slope <= most_of_price * line.held_ns;
    bool const holds = is_price && line.explained >= least_explained &&
                       line.begin >= line.slope * line.faults && 2 * static_cast<double>(near) <= all_faults;
    return holds ? std::optional(line.slope) : std::nullopt;
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
    auto const price = static_cast<std::int64_t>(price_ns);
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
            auto const held_ns = std::min(price, list[fault + 1].work_ns);
            moves.push_back({giver.thread, fault, held_ns, std::min(price - held_ns, list[fault].work_ns),
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
                auto const& move = given.front();
                carry(thread, at, own[at].work_ns - move.beside_ns);
                ++at;  // what gives the lock back goes with it
                carry(thread, at, own[at].work_ns - move.held_ns);
                given = given.subspan(1);
                continue;
            }
            auto const shares = carried_.size();
            carry_shares(thread, at);
            // Work without shares is of the function that makes the call.
            if (carried_.size() == shares && own[at].work_ns > 0)
                carried_.clear();
            add(own[at], own[at].work_ns + std::exchange(carried_ns_, 0));
        }
    }

    OperationList& list() { return list_; }
    std::vector<WorkShare>& shares() { return shares_; }

private:
    void take(Move const& move) {
        auto const own = std::exchange(carried_, {});
        auto const own_ns = std::exchange(carried_ns_, 0);
        auto const& from = program_.lists[move.from.index()];
        carry(move.from, move.fault, move.beside_ns);
        add(from[move.fault], std::exchange(carried_ns_, 0));
        carry(move.from, move.fault + 1, move.held_ns);
        add(from[move.fault + 1], std::exchange(carried_ns_, 0));
        carried_ = own;
        carried_ns_ = own_ns;
    }

    // The next operation gets so much of the work before that one, and its functions.
    void carry(ThreadId thread, std::uint32_t at, std::int64_t work_ns) {
        carried_ns_ += work_ns;
        if (work_ns > 0)
            carry_shares(thread, at);
    }

    void carry_shares(ThreadId thread, std::uint32_t at) {
        if (program_.shares.empty())
            return;
        auto const found =
            std::ranges::equal_range(program_.shares[thread.index()], at, {}, &WorkShare::piece);
        carried_.insert(carried_.end(), found.begin(), found.end());
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

    ThreadProgram const& program_;
    OperationList list_;
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
    auto& other =
        program.other
            ? *program.other
            : program.other.emplace(OtherHandOuts{HandOuts::recorded, {}, {}, program.assumptions, {}});
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
    for (auto const& phase : phases_of_teams(program)) {
        auto const price_ns = price_of_fault(phase);
        if (!price_ns)
            continue;
        share_out(program, phase, *price_ns, moves);
        ++phases;
    }
    if (moves.empty())
        return;
    move_all(moves, program);
    std::set<ThreadId> threads;
    for (auto const& move : moves)
        threads.insert({move.from, move.to});
    auto const count = [](std::size_t number, char const* what) {
        return counted(static_cast<std::int64_t>(number), what);
    };
    program.assumptions.push_back(
        count(moves.size(), "page fault") + " were moved between " + count(threads.size(), "thread") +
        " that do the same work otherwise" + (phases > 1 ? ", in " + count(phases, "phase") : "") +
        ": on one CPU the thread that runs first takes them for all. --tasks recorded leaves them where they "
        "were.");
}

}  // namespace parcast::extract
