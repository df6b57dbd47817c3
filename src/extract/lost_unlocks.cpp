#include "extract/lost_unlocks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/plan.h"

namespace parcast::extract {

namespace {

bool waits_with_mutex(EventKind kind) {
    return kind == EventKind::condition_wait || kind == EventKind::timed_condition_wait;
}

// Rule 1. Locks that a thread took more often than it gave back.
std::set<std::uint32_t> locks_kept(EventList const& events) {
    std::map<std::uint32_t, std::int64_t> depths;
    for (Event const event : events) {
        if (event.outcome != Outcome::done || event.object.is_none())
            continue;
        if (acquires_lock(event.kind))
            ++depths[event.object.value];
        else if (releases_lock(event.kind) && depths[event.object.value] > 0)
            --depths[event.object.value];
    }
    std::set<std::uint32_t> kept;
    for (auto const& [object, depth] : depths)
        if (depth > 0)
            kept.insert(object);
    return kept;
}

enum class Move : std::uint8_t { gives, gives_for_a_wait, takes, takes_after_a_wait };

bool is_taking(Move move) {
    return move == Move::takes || move == Move::takes_after_a_wait;
}

// What happens to a suspect lock, and when.
struct LockMove {
    std::int64_t when_ns = 0;
    std::uint32_t object = 0;
    Move move = Move::gives;
    bool is_shared = false;
};

using Moves = std::vector<LockMove>;

Moves moves_of(EventList const& events, std::set<std::uint32_t> const& suspects) {
    Moves moves;
    for (Event const event : events) {
        if (waits_with_mutex(event.kind) && event.outcome != Outcome::failed &&
            suspects.contains(event.related)) {
            moves.push_back({event.wall_ns, event.related, Move::gives_for_a_wait});
            if (event.outcome != Outcome::cut_off)
                moves.push_back({return_ns(event), event.related, Move::takes_after_a_wait});
        }
        if (event.outcome != Outcome::done || event.object.is_none() ||
            !suspects.contains(event.object.value))
            continue;
        bool const is_shared = event.kind == EventKind::read_lock || event.kind == EventKind::try_read_lock ||
                               event.kind == EventKind::timed_read_lock;
        if (acquires_lock(event.kind))
            moves.push_back({return_ns(event), event.object.value, Move::takes, is_shared});
        else if (releases_lock(event.kind))
            moves.push_back({event.wall_ns, event.object.value, Move::gives});
    }
    return moves;
}

// Calls `visit(thread, move)` in the order of time, and for each thread in its own order. At one instant
// locks are given before they are taken.
template <class Visit>
void for_each_move(std::vector<Moves> const& moves, Visit visit) {
    struct Next {
        std::int64_t when_ns;
        bool is_taking;
        std::size_t thread;
        std::size_t index;
        bool operator>(Next const& other) const {
            return std::tie(when_ns, is_taking, thread) >
                   std::tie(other.when_ns, other.is_taking, other.thread);
        }
    };
    std::priority_queue<Next, std::vector<Next>, std::greater<>> order;
    auto const add = [&](std::size_t thread, std::size_t index) {
        if (index < moves[thread].size()) {
            auto const& move = moves[thread][index];
            order.push({move.when_ns, is_taking(move.move), thread, index});
        }
    };
    for (std::size_t thread = 0; thread < moves.size(); ++thread)
        add(thread, 0);
    while (!order.empty()) {
        auto const next = order.top();
        order.pop();
        visit(next.thread, moves[next.thread][next.index]);
        add(next.thread, next.index + 1);
    }
}

struct LostUnlock {
    std::size_t thread;
    std::uint32_t object;
    std::int64_t depth;      // as many of them
    std::int64_t before_ns;  // another thread took the lock then
};

// Who holds the suspects, move by move.
class Holders {
public:
    explicit Holders(Timeline const& recorded) : recorded_(recorded) {}

    void observe(std::size_t thread, LockMove const& move) {
        auto& holders = by_object_[move.object];
        auto const own = std::ranges::find(holders, thread, &Holder::thread);
        switch (move.move) {
            case Move::gives: return give(holders, own, move.object);
            case Move::gives_for_a_wait:
                if (own != holders.end()) {
                    waiting_[{thread, move.object}] = own->depth;
                    holders.erase(own);
                }
                return;
            case Move::takes_after_a_wait: {
                auto const waited = waiting_.extract({thread, move.object});
                if (waited)
                    take(holders, {thread, waited.mapped(), false}, move);
                return;
            }
            case Move::takes:
                if (own != holders.end())
                    ++own->depth;
                else
                    take(holders, {thread, 1, move.is_shared}, move);
        }
    }

    // Rule 4: none of mutexes that another thread unlocks.
    std::vector<LostUnlock> lost() && {
        std::erase_if(lost_, [&](LostUnlock const& each) { return foreign_.contains(each.object); });
        return std::move(lost_);
    }

private:
    struct Holder {
        std::size_t thread;
        std::int64_t depth;
        bool is_shared;
    };

    void give(std::vector<Holder>& holders, std::vector<Holder>::iterator own, std::uint32_t object) {
        if (own == holders.end() && !holders.empty())
            foreign_.insert(object);
        else if (own != holders.end() && --own->depth == 0)
            holders.erase(own);
    }

    void take(std::vector<Holder>& holders, Holder const& taker, LockMove const& move) {
        std::erase_if(holders, [&](Holder const& other) {
            if (other.is_shared && taker.is_shared)
                return false;
            auto const& last = recorded_.events[other.thread].back();
            if (return_ns(last) > move.when_ns)  // it has not ended
                lost_.push_back({other.thread, move.object, other.depth, move.when_ns});
            return true;
        });
        holders.push_back(taker);
    }

    Timeline const& recorded_;  // the caller's
    std::map<std::uint32_t, std::vector<Holder>> by_object_;
    std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t> waiting_;  // depth at the wait
    std::set<std::uint32_t> foreign_;
    std::vector<LostUnlock> lost_;
};

Event unlock_of(Timeline const& recorded, std::uint32_t object, std::int64_t when_ns) {
    Event event;
    bool const is_shared_lock = recorded.catalogue.objects[object].kind == ObjectKind::reader_writer_lock;
    event.kind = is_shared_lock ? EventKind::read_write_unlock : EventKind::unlock;
    event.object = ObjectId(object);
    event.wall_ns = when_ns;
    return event;
}

// Rule 2. `lost`: of this thread, in the order of time.
void put_in(Timeline& recorded, std::size_t thread, std::span<LostUnlock const> lost) {
    auto const& events = recorded.events[thread];
    EventList mended;
    std::int64_t previous_ns = 0;
    std::size_t next = 0;
    std::span<WorkShare> const shares =
        recorded.shares.empty() ? std::span<WorkShare>() : std::span(recorded.shares[thread]);
    std::size_t share = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        Event const event = events[i];
        auto const number = static_cast<std::uint32_t>(i);
        for (; next < lost.size() && return_ns(event) > lost[next].before_ns; ++next)
            for (std::int64_t each = 0; each < lost[next].depth; ++each)
                mended.push_back(
                    unlock_of(recorded, lost[next].object, std::min(previous_ns, event.wall_ns)));
        for (; share < shares.size() && shares[share].piece == number; ++share)
            shares[share].piece = static_cast<std::uint32_t>(mended.size());
        mended.push_back(event);
        previous_ns = return_ns(event);
    }
    recorded.events[thread] = std::move(mended);
}

}  // namespace

std::int64_t restore_lost_unlocks(Timeline& recorded) {
    std::set<std::uint32_t> suspects;
    for (auto const& events : recorded.events)
        suspects.merge(locks_kept(events));
    if (suspects.empty())
        return 0;
    std::vector<Moves> moves;
    for (auto const& events : recorded.events)
        moves.push_back(moves_of(events, suspects));
    Holders holders(recorded);
    for_each_move(moves, [&](std::size_t thread, LockMove const& move) { holders.observe(thread, move); });
    auto lost = std::move(holders).lost();
    std::ranges::stable_sort(lost, {}, &LostUnlock::thread);
    std::int64_t restored = 0;
    for (auto const& each : lost)
        restored += each.depth;
    for (auto first = lost.begin(); first != lost.end();) {
        auto const thread = first->thread;
        auto const last =
            std::find_if(first, lost.end(), [&](auto const& each) { return each.thread != thread; });
        put_in(recorded, thread, {first, last});
        first = last;
    }
    return restored;
}

}  // namespace parcast::extract
