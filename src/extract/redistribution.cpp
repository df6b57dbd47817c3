#include "extract/redistribution.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "core/tournament.h"
#include "extract/meetings.h"
#include "program/sleeps.h"

namespace parcast::extract {

namespace {

struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

// Which of its thread's cuts is at this event.
std::size_t cut_at(Cuts const& cuts, ThreadId thread, std::uint32_t event) {
    auto const& events = cuts.events[thread.index()];
    return static_cast<std::size_t>(std::ranges::lower_bound(events, event) - events.begin());
}

std::int64_t length_ns(OperationList const& list, Range range) {
    std::int64_t length = 0;
    Sleeps sleeps;
    for (std::uint32_t i = range.first; i < range.last; ++i) {
        length += list[i].work_ns;
        if (is_delay(list[i].kind()))
            length = sleeps.end_of(list[i], length);
    }
    return length;
}

// What is to replace the operations [first, last) of a list.
struct Insertion {
    Range replaced;
    std::vector<std::pair<ThreadId, Range>> pieces;
    std::size_t operations = 0;  // in all pieces
};

// One for each taker of a hand-out.
using Insertions = std::vector<Insertion>;

Meeting meeting_of(HandOut const& hand_out, Cuts const& cuts) {
    Meeting meeting;
    for (Taker const& taker : hand_out.takers) {
        auto const& positions = cuts.positions[taker.thread.index()];
        meeting.push_back({taker.thread, positions[cut_at(cuts, taker.thread, taker.first)],
                           positions[cut_at(cuts, taker.thread, taker.last)]});
    }
    return meeting;
}

// When a taker is free.
struct Free {
    std::int64_t from_ns = std::numeric_limits<std::int64_t>::max();
    std::size_t taker = std::numeric_limits<std::size_t>::max();
    friend auto operator<=>(Free const&, Free const&) = default;
};

class Assigner {
public:
    // All of it is the caller's.
    Assigner(Cuts const& cuts, std::vector<OperationList> const& lists)
        : cuts_(cuts), lists_(lists), next_cut_(lists.size()) {}

    // `free_ns`: from when on each taker is free, before and after its pieces.
    void assign(HandOut const& hand_out, std::span<std::int64_t> free_ns, Insertions& insertions) {
        Tournament<Free> free(free_ns.size());
        for (std::size_t taker = 0; taker < free_ns.size(); ++taker) {
            free.set(taker, {free_ns[taker], taker});
            insertions[taker].pieces.reserve(hand_out.pieces.size() / free_ns.size() + 1);
            auto const& own = hand_out.takers[taker];
            next_cut_[own.thread.index()] = cut_at(cuts_, own.thread, own.first);
        }
        for (Piece const& piece : hand_out.pieces) {
            auto const range = take_next(piece.thread);
            auto const taker = free.first().taker;
            free_ns[taker] += length_ns(lists_[piece.thread.index()], range);
            free.set(taker, {free_ns[taker], taker});
            insertions[taker].pieces.emplace_back(piece.thread, range);
            insertions[taker].operations += range.last - range.first;
        }
    }

private:
    // The thread's pieces follow each other, and so do their cuts.
    Range take_next(ThreadId thread) {
        auto const& positions = cuts_.positions[thread.index()];
        auto const cut = next_cut_[thread.index()]++;
        return {positions[cut], positions[cut + 1]};
    }

    Cuts const& cuts_;
    std::vector<OperationList> const& lists_;
    std::vector<std::size_t> next_cut_;  // by thread
};

// What the copied operations of a list have of its shares, under their new numbers.
void copy_shares(std::vector<WorkShare> const& from, Range range, std::size_t to,
                 std::vector<WorkShare>& shares) {
    auto const first = std::ranges::lower_bound(from, range.first, {}, &WorkShare::piece);
    for (auto share = first; share != from.end() && share->piece < range.last; ++share) {
        shares.push_back(*share);
        shares.back().piece = static_cast<std::uint32_t>(share->piece - range.first + to);
    }
}

// `shares`: if there are some, those of the result.
OperationList rebuilt(ThreadProgram const& program, std::size_t thread, std::span<Insertion const> insertions,
                      std::vector<WorkShare>& shares) {
    auto const& lists = program.lists;
    OperationList const& own = lists[thread];
    OperationList result;
    std::size_t size = own.size();
    for (Insertion const& insertion : insertions)
        size += insertion.operations - (insertion.replaced.last - insertion.replaced.first);
    result.reserve(size);
    std::uint32_t done = 0;
    auto const copy = [&](std::size_t from, Range range) {
        if (!program.shares.empty())
            copy_shares(program.shares[from], range, result.size(), shares);
        result.append(lists[from], range.first, range.last);
    };
    for (Insertion const& insertion : insertions) {
        copy(thread, {done, insertion.replaced.first});
        for (auto const& [from, range] : insertion.pieces)
            copy(from.index(), range);
        done = insertion.replaced.last;
    }
    copy(thread, {done, static_cast<std::uint32_t>(own.size())});
    return result;
}

}  // namespace

Cuts cuts_of(std::span<HandOut const> hand_outs, std::size_t threads) {
    Cuts cuts{std::vector<std::vector<std::uint32_t>>(threads), {}};
    for (HandOut const& hand_out : hand_outs) {
        for (Piece const& piece : hand_out.pieces)
            cuts.events[piece.thread.index()].push_back(piece.first);
        for (Taker const& taker : hand_out.takers)
            cuts.events[taker.thread.index()].push_back(taker.last);
    }
    for (auto& events : cuts.events)  // hand-outs come by time, which need not be the order of each thread
        if (!std::ranges::is_sorted(events))
            std::ranges::sort(events);
    return cuts;
}

void hand_out_anew(std::span<HandOut const> hand_outs, Cuts const& cuts, ThreadProgram& program) {
    if (hand_outs.empty())
        return;
    std::vector<Meeting> meetings;
    std::vector<Insertions> by_hand_out;
    for (HandOut const& hand_out : hand_outs) {
        meetings.push_back(meeting_of(hand_out, cuts));
        Insertions& empty = by_hand_out.emplace_back();
        for (Stop const& stop : meetings.back())
            empty.push_back({{stop.first, stop.last}, {}});
    }
    Assigner assigner(cuts, program.lists);
    decide_meetings(program, meetings, [&](std::size_t index, std::span<std::int64_t> times_ns) {
        assigner.assign(hand_outs[index], times_ns, by_hand_out[index]);
    });
    std::vector<Insertions> insertions(program.lists.size());
    for (std::size_t index = 0; index < meetings.size(); ++index)
        for (std::size_t taker = 0; taker < meetings[index].size(); ++taker)
            insertions[meetings[index][taker].thread.index()].push_back(std::move(by_hand_out[index][taker]));
    std::vector<OperationList> lists(program.lists.size());
    std::vector<std::vector<WorkShare>> shares(program.lists.size());
    std::vector<bool> is_rebuilt(program.lists.size());
    for (std::size_t thread = 0; thread < lists.size(); ++thread) {
        std::ranges::sort(insertions[thread], {}, [](Insertion const& each) {
            return std::tuple(each.replaced.first, each.replaced.last);
        });
        is_rebuilt[thread] = !insertions[thread].empty();
        if (is_rebuilt[thread])
            lists[thread] = rebuilt(program, thread, insertions[thread], shares[thread]);
    }
    for (std::size_t thread = 0; thread < lists.size(); ++thread) {
        if (is_rebuilt[thread]) {
            program.other->takers.emplace_back(thread);
            std::swap(program.lists[thread], lists[thread]);
            if (!program.shares.empty())
                std::swap(program.shares[thread], shares[thread]);
        }
    }
    program.other->lists = std::move(lists);
    if (!program.shares.empty())
        program.other->shares = std::move(shares);
}

}  // namespace parcast::extract
