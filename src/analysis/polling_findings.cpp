#include "analysis/findings.h"

#include <algorithm>
#include <string>

#include "core/catalogue.h"
#include "core/counted.h"
#include "core/time_text.h"

namespace parcast::analysis {

namespace {

std::string message_of(Catalogue const& catalogue, Polling const& polling) {
    std::string const first = display_name(catalogue, polling.thread);
    std::string const who =
        polling.threads == 1 ? first : count_text(polling.threads) + " threads (the first is " + first + ")";
    std::string const text = who + (polling.threads == 1 ? " sleeps " : " sleep ") + time_text(polling.nap) +
                             (polling.threads == 1 ? " and looks" : " and look") + " again, " +
                             counted(polling.looks, "time") + " in the recording. ";
    if (polling.is_understood)
        return text +
               "A replay waits for what ended it, then for half of such a sleep, however often that is. A "
               "program that blocks on a condition or semaphore goes on at once.";
    return text +
           "The recording does not show what ends it: a fixed number of sleeps, or something that another "
           "thread does. Predictions sleep as often as the recording, and are too slow if this is waiting. "
           "Let the program block on a condition or semaphore instead.";
}

}  // namespace

void add_polling_findings(ThreadProgram const& program, std::vector<Finding>& result) {
    for (Polling const& polling : program.polling)
        result.push_back({FindingKind::sleep_polling,
                          polling.is_understood ? Severity::note : Severity::warning,
                          message_of(program.catalogue, polling),
                          polling.threads == 1 ? polling.thread : ThreadId::none(), polling.site});
    std::stable_sort(result.begin(), result.end(),
                     [](Finding const& a, Finding const& b) { return a.severity > b.severity; });
}

}  // namespace parcast::analysis
