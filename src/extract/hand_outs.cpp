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
#include "extract/store_rules.h"

namespace parcast::extract {

namespace {

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
    Value& operator[](TakePlace place) {
        if (!latest_ || latest_->first != place)
            latest_ = &*values_.try_emplace(place).first;
        return latest_->second;
    }
    bool contains(TakePlace place) {
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
    std::unordered_map<TakePlace, Value> values_;
    std::pair<TakePlace const, Value>* latest_ = nullptr;  // lies still while others are added
};

// A look between two naps takes nothing.
bool takes_at(Event const& event, StepList const& steps, std::size_t i) {
    return is_take(event) && steps[i].form != Step::Form::absorbed;
}

// Where several threads take, and may have been handed work out.
PlaceMap<PlaceUse> places(Timeline const& recorded, Plan const& plan) {
    PlaceMap<PlaceUse> uses;
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        HeldLocks held;
        auto const& events = recorded.events[thread];
        for (std::size_t i = 0; i < events.size(); ++i) {
            Event const event = events[i];
            bool const held_any = !held.empty();
            held.observe(event);
            if (takes_at(event, plan.steps[thread], i)) {
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

// By place, then thread and time.
using SharesByPlace = std::map<TakePlace, std::vector<Share>>;

// Collects the shares of one thread.
class ThreadShares {
public:
    ThreadShares(ThreadId thread, SharesByPlace& result) : thread_(thread), result_(result) {}

    // What happened to the thread's pieces so far: how many events ended one, and how many of those as final.
    struct Ends {
        std::uint32_t all = 0;
        std::uint32_t finals = 0;
    };

    void take(TakePlace place, std::uint32_t event, Ends ends) {
        Open& open = open_[place];
        if (open.has_take)
            close_take(place, open, event, ends);
        else
            open.row_first = event;
        open.has_take = true;
        open.take = event;
        open.ends = ends;
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
        bool has_row = false;
        std::uint32_t row_first = 0;   // take
        std::uint32_t row_pieces = 0;  // none of them kept
        std::uint32_t take = 0;        // the latest
        Ends ends;
    };

    void close_take(TakePlace place, Open& open, std::uint32_t next, Ends ends) {
        if (ends.finals > open.ends.finals) {
            close_share(place, open);
            open.row_first = next;
            return;
        }
        ++open.share.all_pieces;
        open.share.last_piece = open.take;
        if (ends.all == open.ends.all) {
            ++open.row_pieces;
            return;
        }
        close_row(open);
        open.row_first = next;
    }

    static void close_row(Open& open) {
        if (!open.has_row || open.row_pieces > open.share.pieces) {
            open.share.first = open.row_first;
            open.share.last = open.take;
            open.share.pieces = open.row_pieces;
        }
        open.has_row = true;
        open.row_pieces = 0;
    }

    void close_share(TakePlace place, Open& open) {
        close_row(open);
        open.share.thread = thread_;
        open.share.final_take = open.take;
        result_[place].push_back(std::exchange(open.share, Share{}));
        open.has_row = false;
    }

    ThreadId thread_;
    SharesByPlace& result_;
    PlaceMap<Open> open_;
};

void add_shares(ThreadId thread, EventList const& events, StepList const& steps, PlaceMap<PlaceUse>& known,
                SitesOfMany& of_many, SharesByPlace& result) {
    ThreadShares shares(thread, result);
    of_many.begin_thread();
    ThreadShares::Ends ends;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        Event const event = events[i];
        if (takes_at(event, steps, i))
            if (TakePlace const place = place_of(event); known.contains(place))
                shares.take(place, i, ends);
        of_many.add(thread, event, ends.finals);
        auto const end = piece_end(steps[i], event.kind);
        ends.all += end != PieceEnd::none ? 1 : 0;
        ends.finals += end == PieceEnd::final ? 1 : 0;
    }
    shares.finish();
}

SharesByPlace all_shares(Timeline const& recorded, Plan const& plan) {
    SharesByPlace result;
    SitesOfMany of_many(recorded.catalogue);
    auto known = places(recorded, plan);
    for (std::size_t thread = 0; !known.empty() && thread < recorded.events.size(); ++thread)
        add_shares(ThreadId(thread), recorded.events[thread], plan.steps[thread], known, of_many, result);
    std::erase_if(result, [&](auto const& each) { return of_many.contains(each.first); });
    return result;
}

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

// The pieces of one taker, from first to last.
class PieceReader {
public:
    PieceReader(EventList const& events, StepList const& steps, TakePlace place, Share const& share)
        : events_(events), steps_(steps), place_(place), last_(share.last) {
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
        while (piece_.last < last_ && !is_take_here(piece_.last))
            ++piece_.last;
        piece_.taken_ns = taken_ns(events_, first);
    }

    bool is_take_here(std::uint32_t i) const {
        Event const event = events_[i];
        return place_of(event) == place_ && takes_at(event, steps_, i);
    }

    EventList const& events_;
    StepList const& steps_;
    TakePlace place_;
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

HandOut hand_out_of(Timeline const& recorded, Plan const& plan, TakePlace place, Phase const& phase) {
    HandOut result{
        ObjectId(static_cast<std::uint32_t>(place >> 32)), SiteId(static_cast<std::uint32_t>(place)), {}, {}};
    std::vector<PieceReader> readers;
    for (Share const& share : phase) {
        result.takers.push_back({share.thread, share.first, share.last});
        auto const thread = share.thread.index();
        readers.emplace_back(recorded.events[thread], plan.steps[thread], place, share);
    }
    result.pieces = pieces_of(readers);
    return result;
}

// All of one place, or none: rules 4 and 8.
std::vector<HandOut> sound_phases(Timeline const& recorded, Plan const& plan, StoreRules const& rules,
                                  TakePlace place, std::span<Share const> shares) {
    std::vector<Phase> phases = phases_of(shares);
    std::erase_if(phases, [&](Phase const& phase) {
        return phase.size() < 2 || pieces_in(phase) < phase.size() || !rules.admit(place, phase);
    });
    std::size_t shared = 0;
    for (Phase const& phase : phases)
        shared += all_pieces_in(phase);
    std::vector<HandOut> result;
    if (shared * 10 < all_pieces_in(shares) * 9 || !rules.are_no_later(place, phases))
        return result;
    for (Phase const& phase : phases)
        result.push_back(hand_out_of(recorded, plan, place, phase));
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
    StoreRules const rules(recorded, plan);
    for (auto const& [place, shares] : all_shares(recorded, plan)) {
        auto phases = sound_phases(recorded, plan, rules, place, shares);
        std::ranges::move(phases, std::back_inserter(candidates));
    }
    std::ranges::stable_sort(candidates, {},
                             [](HandOut const& each) { return each.pieces.front().taken_ns; });
    Claims claims(recorded.events.size());
    std::erase_if(candidates, [&](HandOut const& each) { return !claims.claim(each.takers); });
    return candidates;
}

}  // namespace parcast::extract
