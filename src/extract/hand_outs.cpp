#include "extract/hand_outs.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "extract/locks.h"

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

std::unordered_map<Place, PlaceUse> places(Timeline const& recorded) {
    std::unordered_map<Place, PlaceUse> uses;
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
    std::erase_if(uses, [](auto const& each) {
        PlaceUse const& use = each.second;
        return use.threads < 2 || use.takes > most_takes || use.takes == use.threads || use.is_nested;
    });
    return uses;
}

bool makes_final(Step const& step) {
    if (step.form == Step::Form::last) {
        return true;
    }
    if (step.form != Step::Form::operation) {
        return false;
    }
    switch (step.kind) {
        case OperationKind::work_only:
        case OperationKind::lock:
        case OperationKind::unlock:
        case OperationKind::read_lock:
        case OperationKind::write_lock:
        case OperationKind::read_write_unlock:
        case OperationKind::input_output:
        case OperationKind::yield: return false;
        case OperationKind::delay: return step.released_mutex != no_object;
        default: return true;
    }
}

// Also of those that woke nobody: on another machine they may.
bool wakes(EventKind kind) {
    return kind == EventKind::condition_signal || kind == EventKind::condition_broadcast ||
           kind == EventKind::semaphore_post || kind == EventKind::futex_wake;
}

// The takes of one thread at one place.
struct Take {
    ThreadId thread;
    std::uint32_t event = 0;
    std::uint32_t next = 0;  // take of the thread there, or the end of its events
    std::int64_t when_ns = 0;
    bool is_final = false;
};

using TakesByPlace = std::map<Place, std::vector<Take>>;

// How many steps before each one make a piece final.
std::vector<std::uint32_t> finals_before(EventList const& events, StepList const& steps) {
    std::vector<std::uint32_t> before(steps.size() + 1);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        before[i + 1] = before[i] + (makes_final(steps[i]) || wakes(events[i].kind) ? 1 : 0);
    }
    return before;
}

// What a take got is known between the lock and the thread's next event, mostly the unlock.
std::int64_t taken_ns(EventList const& events, std::uint32_t take) {
    return take + 1 < events.size() ? events[take + 1].wall_ns : return_ns(events[take]);
}

// Adds the takes of one thread.
void add_takes(ThreadId thread, EventList const& events, StepList const& steps,
               std::unordered_map<Place, PlaceUse> const& known, TakesByPlace& result) {
    auto const end = static_cast<std::uint32_t>(events.size());
    auto const finals = finals_before(events, steps);
    std::map<Place, Take> latest;
    auto const close = [&](Place place, Take take, std::uint32_t next) {
        take.next = next;
        take.is_final = next == end || finals[next] > finals[take.event];
        result[place].push_back(take);
    };
    for (std::uint32_t i = 0; i < end; ++i) {
        if (!is_take(events[i]) || !known.contains(place_of(events[i]))) {
            continue;
        }
        Take const take{thread, i, end, taken_ns(events, i), false};
        auto const [previous, is_first] = latest.try_emplace(place_of(events[i]), take);
        if (!is_first) {
            close(previous->first, std::exchange(previous->second, take), i);
        }
    }
    for (auto const& [place, take] : latest) {
        close(place, take, end);
    }
}

// By place, then thread and time.
TakesByPlace all_takes(Timeline const& recorded, Plan const& plan) {
    TakesByPlace result;
    auto const known = places(recorded);
    for (std::size_t thread = 0; !known.empty() && thread < recorded.events.size(); ++thread) {
        add_takes(ThreadId(thread), recorded.events[thread], plan.steps[thread], known, result);
    }
    return result;
}

// For each take, how many final takes its thread has from there on. The last one is final.
std::vector<std::size_t> phases_from_end(std::span<Take const> takes) {
    std::vector<std::size_t> phases(takes.size());
    for (std::size_t i = takes.size(); i-- > 0;) {
        bool const ends_thread = i + 1 == takes.size() || takes[i + 1].thread != takes[i].thread;
        phases[i] = (ends_thread ? 0 : phases[i + 1]) + (takes[i].is_final ? 1 : 0);
    }
    return phases;
}

// The phases of one place that all of its threads have. `takes`: by thread and time.
std::vector<HandOut> phases_of(Place place, std::span<Take const> takes) {
    auto const phase_of = phases_from_end(takes);
    std::size_t common = takes.size();
    for (std::size_t i = 0; i < takes.size(); ++i) {
        bool const begins_thread = i == 0 || takes[i - 1].thread != takes[i].thread;
        common = begins_thread ? std::min(common, phase_of[i]) : common;
    }
    HandOut const none{
        ObjectId(static_cast<std::uint32_t>(place >> 32)), SiteId(static_cast<std::uint32_t>(place)), {}, {}};
    std::vector<HandOut> phases(common, none);
    for (std::size_t i = 0; i < takes.size(); ++i) {
        if (phase_of[i] > common) {
            continue;
        }
        Take const& take = takes[i];
        HandOut& phase = phases[phase_of[i] - 1];
        if (phase.takers.empty() || phase.takers.back().thread != take.thread) {
            phase.takers.push_back({take.thread, take.event, take.event});
        }
        phase.takers.back().last = take.event;
        if (!take.is_final) {
            phase.pieces.push_back({take.thread, take.event, take.next, take.when_ns});
        }
    }
    return phases;
}

std::int64_t first_final_ns(Timeline const& recorded, HandOut const& phase) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (Taker const& taker : phase.takers) {
        first = std::min(first, taken_ns(recorded.events[taker.thread.index()], taker.last));
    }
    return first;
}

// Rule 2. The initial thread may lend a hand.
bool run_the_same_code(Catalogue const& catalogue, HandOut const& phase) {
    auto const& takers = phase.takers;
    Thread const& last = catalogue.threads[takers.back().thread.index()];
    return std::ranges::all_of(takers, [&](Taker const& taker) {
        Thread const& thread = catalogue.threads[taker.thread.index()];
        return taker.thread == ThreadId(0) ||
               (thread.function == last.function && thread.start_site == last.start_site);
    });
}

// Rules 1 to 3. REQUIRES: pieces in order.
bool is_sound(Timeline const& recorded, HandOut const& phase) {
    return phase.takers.size() > 1 && phase.pieces.size() >= phase.takers.size() &&
           run_the_same_code(recorded.catalogue, phase) &&
           phase.pieces.back().taken_ns <= first_final_ns(recorded, phase);
}

// All of one place, or none: rule 4.
std::vector<HandOut> sound_phases(Timeline const& recorded, Place place, std::span<Take const> takes) {
    std::vector<HandOut> phases = phases_of(place, takes);
    for (HandOut& phase : phases) {
        std::ranges::sort(phase.pieces, {},
                          [](Piece const& piece) { return std::tuple(piece.taken_ns, piece.thread); });
    }
    std::erase_if(phases,
                  [&](HandOut const& phase) { return phase.pieces.empty() || !is_sound(recorded, phase); });
    std::size_t shared = 0;
    for (HandOut const& phase : phases) {
        shared += phase.pieces.size();
    }
    auto const all = static_cast<std::size_t>(
        std::ranges::count_if(takes, [](Take const& take) { return !take.is_final; }));
    return shared * 10 >= all * 9 ? phases : std::vector<HandOut>{};
}

// Which events of each thread are in hand-outs already.
class Claims {
public:
    explicit Claims(std::size_t threads) : ranges_(threads) {}

    // False, and no claim, if one of them overlaps.
    bool claim(std::span<Taker const> takers) {
        bool const is_free =
            std::ranges::all_of(takers, [&](Taker const& taker) { return is_free_for(taker); });
        if (is_free) {
            for (Taker const& taker : takers) {
                ranges_[taker.thread.index()][taker.first] = taker.last;
            }
        }
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
    for (auto const& [place, takes] : all_takes(recorded, plan)) {
        auto phases = sound_phases(recorded, place, takes);
        std::ranges::move(phases, std::back_inserter(candidates));
    }
    std::ranges::stable_sort(candidates, {},
                             [](HandOut const& each) { return each.pieces.front().taken_ns; });
    Claims claims(recorded.events.size());
    std::erase_if(candidates, [&](HandOut const& each) { return !claims.claim(each.takers); });
    return candidates;
}

}  // namespace parcast::extract
