// What tells a store of work from the locks of cells, boxes and allocators, which threads take just as often:
// rules 2, 3 and 6 to 8 of hand_outs.h.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/id.h"
#include "core/openmp_objects.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// Mutex and place of the lock.
using TakePlace = std::uint64_t;

inline TakePlace place_of(Event const& event) {
    return std::uint64_t{event.object.value} << 32 | event.site.value;
}

inline ObjectId object_of(TakePlace place) {
    return ObjectId(static_cast<std::uint32_t>(place >> 32));
}

inline bool is_take(Event const& event) {
    return event.kind == EventKind::lock && event.outcome == Outcome::done && !event.object.is_none();
}

// What a take got is known between the lock and the thread's next event, mostly the unlock.
std::int64_t taken_ns(EventList const& events, std::uint32_t take);

// What an event does to the piece in which it lies.
enum class PieceEnd : std::uint8_t {
    none,
    kept,   // it stays with its thread, which takes the next one: it wakes or creates a thread
    final,  // its thread had found nothing: it waits, or ends
};
PieceEnd piece_end(Step const& step, EventKind kind);

// What a thread took at one place up to a take that was final, and of that the longest row of pieces none of
// which is kept. Only numbers of takes and the bounds are stored: there may be millions, and most of them are
// no hand-outs.
struct Share {
    ThreadId thread;
    std::uint32_t first = 0;  // take of the row
    std::uint32_t last = 0;   // the take after the row: the final one, or of a kept piece
    std::uint32_t pieces = 0;
    std::uint32_t all_pieces = 0;  // with those that are kept, and those of other rows
    std::uint32_t last_piece = 0;  // take of the last of them, if there are some
    std::uint32_t final_take = 0;
};

std::size_t pieces_in(std::span<Share const> shares);
std::size_t all_pieces_in(std::span<Share const> shares);

// The shares of the j-th final takes, counted from the end, for a j that all threads have.
using Phase = std::vector<Share>;

// Where in the code threads lock one mutex after the other: rule 6. The events of one thread come after those
// of another.
class SitesOfMany {
public:
    // The catalogue is the caller's.
    explicit SitesOfMany(Catalogue const& catalogue);

    void begin_thread() { taken_.reset(); }
    // `finals`: how many events of the thread before this one ended a piece as final.
    void add(ThreadId thread, Event const& event, std::uint32_t finals);
    bool contains(TakePlace place) const;

private:
    struct Use {
        ThreadId thread = ThreadId::none();
        ObjectId object = ObjectId::none();
        std::uint32_t finals = 0;
    };
    struct Taken {
        SiteId site;
        Use use;
    };

    void release(Event const& unlock);
    std::string_view function_of(SiteId site) const;

    Catalogue const& catalogue_;
    OpenmpObjects openmp_;
    std::vector<Use> latest_;  // by site
    std::vector<bool> is_of_many_;
    std::optional<Taken> taken_;  // by the thread, and not given back
};

// Rules 2, 3, 7 and 8. OpenMP says what it hands out: rules 6 to 8 are not asked there.
class StoreRules {
public:
    // All of it is the caller's.
    StoreRules(Timeline const& recorded, Plan const& plan);

    // Rules 2, 3 and 7.
    bool admit(TakePlace place, Phase const& phase) const;
    // Rule 8. Cost: O(events of the takers between two waits).
    bool are_no_later(TakePlace place, std::span<Phase const> phases) const;

private:
    using Team = std::pair<std::string_view, SiteId>;  // function, and where it begins

    Team team_of(ThreadId thread) const;
    bool run_the_same_code(Phase const& phase) const;
    bool is_taken_before_anybody_stops(Phase const& phase) const;
    bool most_of_the_team_come(Phase const& phase) const;
    bool is_final(ThreadId thread, std::uint32_t event) const;

    // CPU time of a taker since it last waited: before it came, for its pieces, and until it waits again.
    struct Course {
        std::int64_t before_ns = 0;
        std::int64_t pieces_ns = 0;
        std::int64_t after_ns = 0;
    };
    Course course_of(Share const& share) const;
    static std::int64_t end_anew_ns(std::span<Course> courses);

    bool is_of_openmp(TakePlace place) const;

    Timeline const& recorded_;
    Plan const& plan_;
    OpenmpObjects openmp_;
    std::map<Team, std::vector<ThreadId>> members_;
};

}  // namespace parcast::extract
