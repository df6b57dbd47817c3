#include "extract/assumptions.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "core/catalogue.h"
#include "core/counted.h"
#include "core/time_text.h"

namespace parcast::extract {

namespace {

void say_if(std::vector<std::string>& sentences, std::int64_t count, std::string sentence) {
    if (count > 0)
        sentences.push_back(std::move(sentence));
}

void say_about_time(std::vector<std::string>& sentences, CpuBalance const& balance) {
    say_if(sentences, balance.recorder_ns,
           "The recorder's own " + time_text(Duration{balance.recorder_ns}) +
               " of CPU time are taken out of the work.");
    say_if(sentences, balance.overdrawn_ns,
           "Of these, " + time_text(Duration{balance.overdrawn_ns}) +
               " were more than their threads had used, and are left out.");
    say_if(sentences, balance.dropped_ns,
           time_text(Duration{balance.dropped_ns}) +
               " of CPU time inside calls that blocked are left out: the machine's costs stand for them.");
    say_if(sentences, balance.waking_ns,
           time_text(Duration{balance.waking_ns}) +
               " of CPU time were spent on waking others at barriers; in the replay that is work of whoever "
               "arrives last there.");
}

void say_about_waits(std::vector<std::string>& sentences, Doubts const& doubts) {
    say_if(sentences, doubts.unreleased_waits,
           counted(doubts.unreleased_waits, "wait") +
               " ended without a release by a thread of this process; the replay waits as long as the "
               "recording did.");
    say_if(sentences, doubts.signal_waits,
           counted(doubts.signal_waits, "wait") +
               " for a signal: the replay does not wait, since who sends signals is not recorded.");
    say_if(sentences, doubts.estimated_waits,
           "During " + counted(doubts.estimated_waits, "I/O call") +
               " other threads held the CPU; how long the device took is estimated from below.");
    say_if(sentences, doubts.channel_waits,
           counted(doubts.channel_waits, "read") +
               " of pipes, pairs of sockets and event counters wait for what other threads write; writes "
               "never wait for room.");
    say_if(sentences, doubts.inferred_semaphores,
           "The initial value of " + counted(doubts.inferred_semaphores, "semaphore") +
               " was not recorded; the smallest possible one is taken.");
    say_if(sentences, doubts.lost_unlocks,
           counted(doubts.lost_unlocks, "unlock") +
               " that the recording lacks are put in: another thread took the lock.");
    say_if(
        sentences, doubts.foreign_unlocks,
        counted(doubts.foreign_unlocks, "unlock") + " by threads that did not hold the lock are left out.");
}

void say_about_threads(std::vector<std::string>& sentences, Doubts const& doubts) {
    say_if(sentences, doubts.threads_alive,
           counted(doubts.threads_alive, "thread was", "threads were") +
               " alive when the process ended; in the replay they stop where they stopped then.");
    say_if(sentences, doubts.dropped_sleeps,
           counted(doubts.dropped_sleeps, "sleep or wait", "sleeps and waits") +
               " of such threads that nobody waited for are left out.");
    say_if(sentences, doubts.late_timeouts,
           counted(doubts.late_timeouts, "timed wait") +
               " ran out only since other programs had the CPU: such waits take no time.");
    say_if(sentences, doubts.adopted_threads,
           "The creation of " + counted(doubts.adopted_threads, "thread") +
               " was not recorded; the replay creates them when they began.");
    say_if(sentences, doubts.foreign_parameters,
           counted(doubts.foreign_parameters, "change") +
               " of another thread's affinity or priority while it ran are left out.");
}

// Hand-outs of one mutex and place are phases of one.
void say_about_hand_outs(std::vector<std::string>& sentences, Timeline const& recorded,
                         std::span<HandOut const> hand_outs) {
    struct Sum {
        std::int64_t phases = 0;
        std::int64_t pieces = 0;
        std::size_t threads = 0;
    };
    std::map<std::pair<SiteId, ObjectId>, Sum> sums;
    for (HandOut const& each : hand_outs) {
        Sum& sum = sums[{each.site, each.object}];
        ++sum.phases;
        sum.pieces += static_cast<std::int64_t>(each.pieces.size());
        sum.threads = std::max(sum.threads, each.takers.size());
    }
    for (auto const& [key, sum] : sums) {
        sentences.push_back(std::to_string(sum.threads) + " threads took " + counted(sum.pieces, "piece") +
                            " of work under the " + display_name(recorded.catalogue, key.second) +
                            (sum.phases > 1 ? " in " + counted(sum.phases, "phase") : "") +
                            ". The replay hands them out anew, each to the thread that is free first; "
                            "--tasks recorded leaves "
                            "them to the threads that got them on one CPU.");
    }
}

}  // namespace

std::vector<std::string> assumptions(Timeline const& recorded, Plan const& plan, CpuBalance const& balance,
                                     std::span<HandOut const> handed_out_anew) {
    std::vector<std::string> sentences;
    say_about_hand_outs(sentences, recorded, handed_out_anew);
    say_about_time(sentences, balance);
    for (ConditionBarrier const& barrier : plan.barriers) {
        sentences.push_back("The " + display_name(recorded.catalogue, barrier.condition) +
                            " is replayed as a barrier of " + std::to_string(barrier.participants) +
                            " threads.");
    }
    say_about_waits(sentences, plan.doubts);
    say_about_threads(sentences, plan.doubts);
    return sentences;
}

}  // namespace parcast::extract
