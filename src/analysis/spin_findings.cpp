#include "analysis/findings.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "analysis/spinning.h"
#include "core/catalogue.h"
#include "core/time_text.h"

namespace parcast::analysis {

namespace {

// Shares of the length.
constexpr double notable = 0.01;  // beyond, a prediction is off by more than its noise
constexpr double ruinous = 0.1;   // beyond, it is that of another program
constexpr double much_given_away = 0.25;

// All that wait at one site in one way; of single yields those of all sites.
struct Group {
    Spinning sum;  // its thread is the first
    std::set<ThreadId> threads;
    Duration most_others;  // of one of them
};

std::vector<Group> grouped(std::vector<Spinning> const& all) {
    std::vector<Group> groups;
    for (Spinning const& each : all) {
        auto const known = std::find_if(groups.begin(), groups.end(), [&](Group const& group) {
            bool const is_same_place =
                group.sum.site == each.site || each.evidence == SpinEvidence::single_yields;
            return group.sum.evidence == each.evidence && is_same_place;
        });
        if (known == groups.end()) {
            groups.push_back({each, {each.thread}, each.others});
            continue;
        }
        known->sum.thread = std::min(known->sum.thread, each.thread);
        known->sum.count += each.count;
        known->sum.cpu += each.cpu;
        known->sum.others += each.others;
        known->threads.insert(each.thread);
        known->most_others = std::max(known->most_others, each.others);
    }
    return groups;
}

std::string who_text(Catalogue const& catalogue, Group const& group, char const* one, char const* many) {
    std::string const first = display_name(catalogue, group.sum.thread);
    return group.threads.size() == 1
               ? first + ' ' + one
               : std::to_string(group.threads.size()) + " threads (the first is " + first + ") " + many;
}

// Empty if there was nobody to take the CPU.
std::string given_away(Duration others) {
    return others == Duration{} ? "" : " gave the CPU away for " + time_text(others) + " in all";
}

std::string message_of(Catalogue const& catalogue, Group const& group) {
    std::string const count = std::to_string(group.sum.count);
    std::string const cpu = time_text(group.sum.cpu);
    switch (group.sum.evidence) {
        case SpinEvidence::rows_of_yields:
            return who_text(catalogue, group, "waits", "wait") + " by yielding again and again: " + count +
                   " yields" + given_away(group.sum.others) +
                   ". What they wait for is not recorded: a replay does not wait for it and is too "
                   "fast, "
                   "while the yields' own " +
                   cpu + " count as work. Let the program block on a condition or semaphore instead.";
        case SpinEvidence::rows_of_tries:
            return who_text(catalogue, group, "waits", "wait") +
                   " by trying a lock or semaphore again and again: " + count + " tries failed" +
                   (group.sum.others == Duration{} ? "" : "," + given_away(group.sum.others)) +
                   ". A replay tries as often as the recording, whoever holds the lock by then, and the "
                   "tries' " +
                   cpu + " count as work. Let the program wait in lock() instead.";
        case SpinEvidence::single_yields:
            return who_text(catalogue, group, "wakes another one and yields", "wake others and yield") +
                   ", " + count + " times, and" + given_away(group.sum.others) +
                   ". On one CPU whoever is waited for runs at once then; on several a loop of yields may go "
                   "round many times until it has. A replay waits for nothing there, and is too fast if the "
                   "program does. Let the program block on a condition or semaphore instead.";
        case SpinEvidence::before_waits:
            return who_text(catalogue, group, "spins", "spin") + " before they block, " + count +
                   " times, for " + cpu +
                   " in all. On one CPU each of these loops ran to its end; on several the thread that is "
                   "waited for runs meanwhile, and loops and waits are shorter. A replay repeats what was "
                   "recorded, and is too slow.";
        case SpinEvidence::polling:
            return who_text(catalogue, group, "yields", "yield") + " all the time: " + count +
                   " yields took " + cpu +
                   " of CPU time. If this waits for something, a replay does not wait for it, and "
                   "repeats the recorded number of yields on any machine.";
        case SpinEvidence::whole_slices:
            return who_text(catalogue, group, "seems", "seem") + " to wait by running: " + cpu + " in " +
                   count +
                   " stretches without a call, each of them whole time slices. If it spins on a variable, "
                   "this is "
                   "waiting counted as work, and the prediction is wrong: let it block and record again.";
    }
    return "";
}

bool is_certain(Spinning const& found) {
    return found.evidence == SpinEvidence::rows_of_yields || found.evidence == SpinEvidence::rows_of_tries ||
           found.evidence == SpinEvidence::before_waits;
}

}  // namespace

void add_spin_findings(Timeline const& recorded, Survey const& survey, std::vector<Finding>& result) {
    for (Group const& group : grouped(survey.spinning)) {
        // Threads that yield to each other give the same time away.
        // All threads of a barrier spin; who hands out work and takes an equal part of it each time is alone.
        if (group.sum.evidence == SpinEvidence::before_waits && group.threads.size() == 1)
            continue;
        bool const is_single = group.sum.evidence == SpinEvidence::single_yields;
        Duration const others = is_single ? group.most_others : group.sum.others;
        double const share = to_real(group.sum.cpu + others).ns / to_real(recorded.length).ns;
        if (is_single && share < notable)
            continue;
        bool const is_warning = is_single ? share > ruinous : is_certain(group.sum) && share > notable;
        Finding found{FindingKind::spin_waiting,
                      is_warning ? Severity::warning : Severity::note,
                      message_of(recorded.catalogue, group),
                      group.threads.size() == 1 ? group.sum.thread : ThreadId::none(),
                      group.sum.site,
                      is_single ? share > much_given_away : is_certain(group.sum) && share > ruinous};
        found.may_wait_less = is_warning && group.sum.evidence == SpinEvidence::before_waits;
        if (is_single)
            found.hidden_serial_share = std::min(share, 1.0);
        result.push_back(std::move(found));
    }
}

}  // namespace parcast::analysis
