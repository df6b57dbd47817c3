// Between which barriers did one thread do nearly all of the work each time, and each as much in all?
//
// Threads that take pieces of work between two barriers by a spin lock or an atomic counter make no call. On
// one CPU whoever runs takes all pieces until it comes to the barrier, and a replay leaves them there:
// extract/hand_outs.h cannot know. What remains to be seen is that in each round another one does nearly all.
//
// A barrier is suspect if
// 1. two threads or more went through it 20 times or more;
// 2. the sums over the rounds of the largest share of work are four fifths of all work or more;
// 3. no thread did 1.5 times the mean in all.
//
// It stays a suspicion: threads that take turns, one each round, look the same.
// Cost: O(events) time; memory of up to `most_rounds` for each barrier.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "core/id.h"
#include "core/time.h"
#include "timeline/event.h"

namespace parcast::analysis {

struct Survey;

struct UnevenPhases {
    ObjectId barrier;
    std::int64_t threads = 0;
    Duration work;     // CPU time of all before it, since their barriers before
    Duration longest;  // of the one that worked most in each round

    Duration evened() const { return Duration{work.ns / threads}; }
};

// Looks at one thread after the other, its events in their order.
class UnevenPhaseSearch {
public:
    void add(Event const& event);
    void end_thread();
    std::vector<UnevenPhases> finish() const;

private:
    static constexpr std::size_t most_rounds = 65'536;

    struct Round {
        std::int64_t most_ns = 0;
        std::int64_t work_ns = 0;
    };
    struct Barrier {
        std::vector<Round> rounds;
        std::int64_t threads = 0;
        std::int64_t most_of_a_thread_ns = 0;
        std::size_t next = 0;  // round of the thread that is looked at
        std::int64_t of_thread_ns = 0;
    };

    static std::optional<UnevenPhases> phases_of(ObjectId object, Barrier const& barrier);

    std::map<ObjectId, Barrier> barriers_;
    std::int64_t work_ns_ = 0;  // since the last barrier
};

// One finding for all barriers, under the same conditions as that of hidden_hand_outs.h.
void add_uneven_phases(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result);

}  // namespace parcast::analysis
