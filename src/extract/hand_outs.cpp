#include "extract/hand_outs.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/tournament.h"
#include "extract/passes/locks.h"

namespace parcast::extract {

namespace {

// Mutex and place of the lock.
using Place = std::uint64_t;

Place place_of(Event const& event) {
    return std::uint64_t{event.object.value} << 32 | event.site.value;
}

bool is_take(Event const& event) {
    return event.kind == EventKind::lock && event.outcome == Outcome::done && !event.object.is_none();
}

struct PlaceUse {
    std::int64_t takes = 0;
    ThreadId last_thread = ThreadId::none();
    std::int64_t threads = 0;
    bool is_nested = false;  // somebody held another lock
};

// Finds what is known of a place. A thread mostly takes where it took before.
template <class Value>
class PlaceMap {
public:
    Value& operator[](Place place) {
        if (!latest_ || latest_->first != place)
            latest_ = &*values_.try_emplace(place).first;
        return latest_->second;
    }
    bool contains(Place place) {
        if (latest_ && latest_->first == place)
            return true;
        auto const found = values_.find(place);
        if (found == values_.end())
            return false;
        latest_ = &*found;
        return true;
    }
    bool empty() const { return values_.empty(); }
    auto begin() { return values_.begin(); }
    auto end() { return values_.end(); }
    template <class Predicate>
    void erase_if(Predicate predicate) {
        std::erase_if(values_, [&](auto const& each) { return predicate(each.second); });
        latest_ = nullptr;
    }

private:
    std::unordered_map<Place, Value> values_;
    std::pair<Place const, Value>* latest_ = nullptr;  // lies still while others are added
};

// Where several threads take, and may have been handed work out.
PlaceMap<PlaceUse> places(Timeline const& recorded) {
    PlaceMap<PlaceUse> uses;
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        HeldLocks held;
        for (Event const event : recorded.events[thread]) {
            bool const held_any = !held.empty();
            held.observe(event);
            if (is_take(event)) {
                PlaceUse& use = uses[place_of(event)];
                ++use.takes;
                use.threads += use.last_thread == ThreadId(thread) ? 0 : 1;
                use.last_thread = ThreadId(thread);
                use.is_nested = use.is_nested || held_any;
            }
        }
    }
    uses.erase_if([](PlaceUse const& use) {
        return use.threads < 2 || use.takes > most_takes || use.takes == use.threads || use.is_nested;
    });
    return uses;
}

bool makes_final(Step const& step) {
    if (step.form == Step::Form::last)
        return true;
    if (step.form != Step::Form::operation)
        return false;
    switch (traits_of(step.kind).role) {
        case Role::none:
        case Role::takes_lock:
        case Role::releases_lock: return false;
        case Role::delays: return step.kind == OperationKind::delay && step.released_mutex != no_object;
        default: return true;
    }
}

// Also of those that woke nobody: on another machine they may.
bool wakes(EventKind kind) {
    return kind == EventKind::condition_signal || kind == EventKind::condition_broadcast ||
           kind == EventKind::semaphore_post || kind == EventKind::futex_wake;
}

// What a thread took at one place up to a take that was final. Only the number of the takes before and the
// last of them are kept: there may be millions, and most of them are no hand-outs.
struct Share {
    ThreadId thread;
    std::uint32_t first = 0;  // take
    std::uint32_t last = 0;   // the final one
    std::uint32_t pieces = 0;
    std::uint32_t last_piece = 0;  // take; if there are pieces
};

// By place, then thread and time.
using SharesByPlace = std::map<Place, std::vector<Share>>;

// Collects the shares of one thread.
class ThreadShares {
public:
    ThreadShares(ThreadId thread, SharesByPlace& result) : thread_(thread), result_(result) {}

    // `finals`: how many events of the thread before this one make a piece final.
    void take(Place place, std::uint32_t event, std::uint32_t finals) {
        Open& open = open_[place];
        if (open.has_take)
            close_take(place, open, finals);
        open.share.first = open.has_share ? open.share.first : event;
        open.has_take = open.has_share = true;
        open.take = event;
        open.finals = finals;
    }

    // The thread ends: whatever it took last was final.
    void finish() {
        for (auto& [place, open] : open_)
            close_share(place, open);
    }

private:
    struct Open {
        Share share;
        bool has_take = false;
        bool has_share = false;
        std::uint32_t take = 0;  // the latest
        std::uint32_t finals = 0;
    };

    void close_take(Place place, Open& open, std::uint32_t finals) {
        if (finals > open.finals)
            return close_share(place, open);
        ++open.share.pieces;
        open.share.last_piece = open.take;
    }

    void close_share(Place place, Open& open) {
        open.share.thread = thread_;
        open.share.last = open.take;
        result_[place].push_back(std::exchange(open.share, Share{}));
        open.has_share = false;
    }

    ThreadId thread_;
    SharesByPlace& result_;
    PlaceMap<Open> open_;
};

void add_shares(ThreadId thread, EventList const& events, StepList const& steps, PlaceMap<PlaceUse>& known,
                SharesByPlace& result) {
    ThreadShares shares(thread, result);
    std::uint32_t finals = 0;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        Event const event = events[i];
        if (is_take(event))
            if (Place const place = place_of(event); known.contains(place))
                shares.take(place, i, finals);
        finals += makes_final(steps[i]) || wakes(event.kind) ? 1 : 0;
    }
    shares.finish();
}

SharesByPlace all_shares(Timeline const& recorded, Plan const& plan) {
    SharesByPlace result;
    auto known = places(recorded);
    for (std::size_t thread = 0; !known.empty() && thread < recorded.events.size(); ++thread)
        add_shares(ThreadId(thread), recorded.events[thread], plan.steps[thread], known, result);
    return result;
}

// What a take got is known between the lock and the thread's next event, mostly the unlock.
std::int64_t taken_ns(EventList const& events, std::uint32_t take) {
    return take + 1 < events.size() ? events[take + 1].wall_ns : return_ns(events[take]);
}

// The shares of the j-th final takes, counted from the end, for each j that all threads have.
using Phase = std::vector<Share>;

std::vector<Phase> phases_of(std::span<Share const> shares) {
    std::size_t common = shares.size();
    for (auto rest = shares; !rest.empty();) {
        auto const end = std::ranges::find_if(
            rest, [&](Share const& share) { return share.thread != rest.front().thread; });
        auto const count = static_cast<std::size_t>(end - rest.begin());
        common = std::min(common, count);
        rest = rest.subspan(count);
    }
    std::vector<Phase> phases(common);
    std::size_t from_end = 0;
    for (std::size_t i = shares.size(); i-- > 0;) {
        bool const ends_thread = i + 1 == shares.size() || shares[i + 1].thread != shares[i].thread;
        from_end = ends_thread ? 0 : from_end + 1;
        if (from_end < common)
            phases[from_end].push_back(shares[i]);
    }
    for (Phase& phase : phases)
        std::ranges::reverse(phase);
    return phases;
}

std::size_t pieces_in(std::span<Share const> shares) {
    std::size_t pieces = 0;
    for (Share const& share : shares)
        pieces += share.pieces;
    return pieces;
}

// Rule 2. The initial thread may lend a hand.
bool run_the_same_code(Catalogue const& catalogue, Phase const& phase) {
    Thread const& last = catalogue.threads[phase.back().thread.index()];
    return std::ranges::all_of(phase, [&](Share const& share) {
        Thread const& thread = catalogue.threads[share.thread.index()];
        return share.thread == ThreadId(0) ||
               (thread.function == last.function && thread.start_site == last.start_site);
    });
}

// Rule 3.
bool is_taken_before_anybody_stops(Timeline const& recorded, Phase const& phase) {
    auto last_piece_ns = std::numeric_limits<std::int64_t>::min();
    auto first_final_ns = std::numeric_limits<std::int64_t>::max();
    for (Share const& share : phase) {
        auto const& events = recorded.events[share.thread.index()];
        if (share.pieces > 0)
            last_piece_ns = std::max(last_piece_ns, taken_ns(events, share.last_piece));
        first_final_ns = std::min(first_final_ns, taken_ns(events, share.last));
    }
    return last_piece_ns <= first_final_ns;
}

// Rules 1 to 3.
bool is_sound(Timeline const& recorded, Phase const& phase) {
    return phase.size() > 1 && pieces_in(phase) >= phase.size() &&
           run_the_same_code(recorded.catalogue, phase) && is_taken_before_anybody_stops(recorded, phase);
}

// The pieces of one taker, from first to last.
class PieceReader {
public:
    PieceReader(EventList const& events, Place place, Share const& share)
        : events_(events), place_(place), last_(share.last) {
        piece_.thread = share.thread;
        read(share.first);
    }

    bool is_at_end() const { return piece_.first == last_; }
    Piece const& piece() const { return piece_; }
    void next() { read(piece_.last); }

private:
    void read(std::uint32_t first) {
        piece_.first = first;
        if (is_at_end())
            return;
        piece_.last = first + 1;
        while (piece_.last < last_ && !is_take_here(events_[piece_.last]))
            ++piece_.last;
        piece_.taken_ns = taken_ns(events_, first);
    }

    bool is_take_here(Event const& event) const { return is_take(event) && place_of(event) == place_; }

    EventList const& events_;
    Place place_;
    std::uint32_t last_;
    Piece piece_;
};

struct NextPiece {
    std::int64_t taken_ns = std::numeric_limits<std::int64_t>::max();
    std::size_t reader = std::numeric_limits<std::size_t>::max();
    friend auto operator<=>(NextPiece const&, NextPiece const&) = default;
};

// Those of all takers, in the order in which they were taken: a merge, which goes on with the taker that has
// the time slice. Simultaneous ones by thread.
std::vector<Piece> pieces_of(std::vector<PieceReader>& readers) {
    Tournament<NextPiece> first(readers.size());
    auto const next_of = [&](std::size_t reader) {
        return readers[reader].is_at_end() ? NextPiece{}
                                           : NextPiece{readers[reader].piece().taken_ns, reader};
    };
    for (std::size_t reader = 0; reader < readers.size(); ++reader)
        first.set(reader, next_of(reader));
    std::vector<Piece> pieces;
    while (first.first() != NextPiece{}) {
        auto const reader = first.first().reader;
        auto const others = first.first_but(reader);
        auto next = first.first();
        for (; next < others; next = next_of(reader)) {
            pieces.push_back(readers[reader].piece());
            readers[reader].next();
        }
        first.set(reader, next);
    }
    return pieces;
}

HandOut hand_out_of(Timeline const& recorded, Place place, Phase const& phase) {
    HandOut result{
        ObjectId(static_cast<std::uint32_t>(place >> 32)), SiteId(static_cast<std::uint32_t>(place)), {}, {}};
    std::vector<PieceReader> readers;
    for (Share const& share : phase) {
        result.takers.push_back({share.thread, share.first, share.last});
        readers.emplace_back(recorded.events[share.thread.index()], place, share);
    }
    result.pieces = pieces_of(readers);
    return result;
}

// All of one place, or none: rule 4.
std::vector<HandOut> sound_phases(Timeline const& recorded, Place place, std::span<Share const> shares) {
    std::vector<Phase> phases = phases_of(shares);
    std::erase_if(phases, [&](Phase const& phase) { return !is_sound(recorded, phase); });
    std::size_t shared = 0;
    for (Phase const& phase : phases)
        shared += pieces_in(phase);
    std::vector<HandOut> result;
    if (shared * 10 < pieces_in(shares) * 9)
        return result;
    for (Phase const& phase : phases)
        result.push_back(hand_out_of(recorded, place, phase));
    return result;
}

// Which events of each thread are in hand-outs already.
class Claims {
public:
    explicit Claims(std::size_t threads) : ranges_(threads) {}

    // False, and no claim, if one of them overlaps.
    bool claim(std::span<Taker const> takers) {
        bool const is_free =
            std::ranges::all_of(takers, [&](Taker const& taker) { return is_free_for(taker); });
        if (is_free)
            for (Taker const& taker : takers)
                ranges_[taker.thread.index()][taker.first] = taker.last;
        return is_free;
    }

private:
    bool is_free_for(Taker const& taker) const {
        auto const& ranges = ranges_[taker.thread.index()];
        auto const after = ranges.lower_bound(taker.first);
        bool const meets_next = after != ranges.end() && after->first <= taker.last;
        bool const meets_previous = after != ranges.begin() && std::prev(after)->second >= taker.first;
        return !meets_next && !meets_previous;
    }

    std::vector<std::map<std::uint32_t, std::uint32_t>> ranges_;  // first to last
};

}  // namespace

std::vector<HandOut> hand_outs(Timeline const& recorded, Plan const& plan) {
    std::vector<HandOut> candidates;
    for (auto const& [place, shares] : all_shares(recorded, plan)) {
        auto phases = sound_phases(recorded, place, shares);
        std::ranges::move(phases, std::back_inserter(candidates));
    }
    std::ranges::stable_sort(candidates, {},
                             [](HandOut const& each) { return each.pieces.front().taken_ns; });
    Claims claims(recorded.events.size());
    std::erase_if(candidates, [&](HandOut const& each) { return !claims.claim(each.takers); });
    return candidates;
}

}  // namespace parcast::extract
