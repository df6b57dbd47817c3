// What to change first on which numbers of CPUs, in sentences: `parcast advise` and the page have the same.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/advice.h"
#include "core/catalogue.h"

namespace parcast {

// "mutex queue_lock", "mutex #3".
std::string named_object(Catalogue const& catalogue, ObjectId object);

// With the place of its first use: "mutex queue_lock (queue.h:41)".
std::string placed_object(Catalogue const& catalogue, ObjectId object);

// "solve (lu.cpp:88)", "group potrf", "the work under mutex table (histogram.c:34)".
std::string work_label(Catalogue const& catalogue, ChangeableWork const& work);

// Whether one thread does nearly all of the work of a program of threads.
bool works_in_one_thread(std::span<ChangeableWork const> work);

// Share of the completion that it decides.
double decided_share(AdviceOnCpus const& at, AdviceRow const& row);

// Share of the completion that no work decides, but devices that threads wait for, and sleeping.
double delay_share(AdviceOnCpus const& at, std::span<ChangeableWork const> work);

// The replay with that factor, if it was tried and comes to its end.
std::optional<TriedChange> tried_at(AdviceRow const& row, double factor);

// What the tried change saves of the time there. REQUIRES: at.time_ns and tried.time_ns.
double gain(AdviceOnCpus const& at, TriedChange const& tried);

// A share of the time, with its range where it has one: "41 %", "41 % (39 to 43 %)".
std::string gain_text(double gain, std::optional<Range> const& range);
std::string gain_text(AdviceOnCpus const& at, TriedChange const& tried);

// Whether something is to be changed first there: it decides enough, and a trial does not refute it.
bool has_leader(AdviceOnCpus const& at);

struct LeaderSentence {
    std::uint32_t last_cpus = 1;  // of the counts that it is about
    std::string text;             // names are as in the catalogue
};

// "On 1 to 4 CPUs, change solve (lu.cpp:88) first: it decides 97 % of the time on 4 CPUs. Half of that work
// takes 41 % off the time there." One for all counts in a row that have the same to change first. Where
// devices and sleep decide much, it says so. One sentence for all counts where one thread does the work.
std::vector<LeaderSentence> leader_sentences(std::span<ChangeableWork const> work,
                                             std::span<AdviceOnCpus const> counts,
                                             Catalogue const& catalogue);

}  // namespace parcast
