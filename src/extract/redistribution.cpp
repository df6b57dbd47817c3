#include "extract/redistribution.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/meetings.h"

namespace parcast::extract {

namespace {

using List = std::vector<Operation>;

struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

Range range_of(Cuts const& cuts, ThreadId thread, std::uint32_t first, std::uint32_t last) {
    auto const& events = cuts.events[thread.index()];
    auto const position = [&](std::uint32_t event) {
        auto const found = std::ranges::lower_bound(events, event);
        return cuts.positions[thread.index()][static_cast<std::size_t>(found - events.begin())];
    };
    return {position(first), position(last)};
}

std::int64_t length_ns(List const& list, Range range) {
    std::int64_t length = 0;
    for (std::uint32_t i = range.first; i < range.last; ++i)
        length += list[i].work_ns + (is_delay(list[i].kind()) ? list[i].value : 0);
    return length;
}

// What is to replace the operations [first, last) of a list.
struct Insertion {
    Range replaced;
    std::vector<std::pair<ThreadId, Range>> pieces;
};

// One for each taker of a hand-out.
using Insertions = std::vector<Insertion>;

Meeting meeting_of(HandOut const& hand_out, Cuts const& cuts) {
    Meeting meeting;
    for (Taker const& taker : hand_out.takers) {
        Range const range = range_of(cuts, taker.thread, taker.first, taker.last);
        meeting.push_back({taker.thread, range.first, range.last});
    }
    return meeting;
}

// `free_ns`: from when on each taker is free, before and after its pieces.
void assign(HandOut const& hand_out, Cuts const& cuts, std::vector<List> const& lists,
            std::span<std::int64_t> free_ns, Insertions& insertions) {
    using Free = std::pair<std::int64_t, std::size_t>;  // from when, which taker
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    for (std::size_t taker = 0; taker < free_ns.size(); ++taker)
        free.emplace(free_ns[taker], taker);
    for (Piece const& piece : hand_out.pieces) {
        Range const range = range_of(cuts, piece.thread, piece.first, piece.last);
        auto const taker = free.top().second;
        free.pop();
        free_ns[taker] += length_ns(lists[piece.thread.index()], range);
        free.emplace(free_ns[taker], taker);
        insertions[taker].pieces.emplace_back(piece.thread, range);
    }
}

List rebuilt(std::vector<List> const& lists, std::size_t thread, std::span<Insertion const> insertions) {
    List const& own = lists[thread];
    List result;
    std::uint32_t done = 0;
    auto const copy = [&](List const& from, Range range) {
        result.insert(result.end(), from.begin() + range.first, from.begin() + range.last);
    };
    for (Insertion const& insertion : insertions) {
        copy(own, {done, insertion.replaced.first});
        for (auto const& [from, range] : insertion.pieces)
            copy(lists[from.index()], range);
        done = insertion.replaced.last;
    }
    copy(own, {done, static_cast<std::uint32_t>(own.size())});
    return result;
}

}  // namespace

Cuts cuts_of(std::span<HandOut const> hand_outs, std::size_t threads) {
    Cuts cuts{std::vector<std::vector<std::uint32_t>>(threads), {}};
    for (HandOut const& hand_out : hand_outs) {
        for (Piece const& piece : hand_out.pieces) {
            cuts.events[piece.thread.index()].push_back(piece.first);
            cuts.events[piece.thread.index()].push_back(piece.last);
        }
        for (Taker const& taker : hand_out.takers) {
            cuts.events[taker.thread.index()].push_back(taker.first);
            cuts.events[taker.thread.index()].push_back(taker.last);
        }
    }
    for (auto& events : cuts.events) {
        std::ranges::sort(events);
        auto const repeated = std::ranges::unique(events);
        events.erase(repeated.begin(), repeated.end());
    }
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
    decide_meetings(program, meetings, [&](std::size_t index, std::span<std::int64_t> times_ns) {
        assign(hand_outs[index], cuts, program.lists, times_ns, by_hand_out[index]);
    });
    std::vector<Insertions> insertions(program.lists.size());
    for (std::size_t index = 0; index < meetings.size(); ++index)
        for (std::size_t taker = 0; taker < meetings[index].size(); ++taker)
            insertions[meetings[index][taker].thread.index()].push_back(std::move(by_hand_out[index][taker]));
    std::vector<List> lists(program.lists.size());
    for (std::size_t thread = 0; thread < lists.size(); ++thread) {
        std::ranges::sort(insertions[thread], {}, [](Insertion const& each) {
            return std::tuple(each.replaced.first, each.replaced.last);
        });
        lists[thread] = insertions[thread].empty() ? std::move(program.lists[thread])
                                                   : rebuilt(program.lists, thread, insertions[thread]);
    }
    program.lists = std::move(lists);
}

}  // namespace parcast::extract
