#include "analysis/user_space_waits.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/catalogue.h"
#include "core/counted.h"
#include "core/percent_text.h"

namespace parcast::analysis {

namespace {

constexpr double notable_waiting = 0.1;  // of the lives of the threads that use the word
constexpr std::int64_t fewest_waits = 3;

// Everybody who is not the last one waits at a barrier or latch, whoever finds a semaphore or future empty
// waits, and each wait for a condition is a system call: what is seen of them is enough.
constexpr std::array types_that_show_enough = {"std::barrier", "std::latch",   "std::counting_semaphore",
                                               "std::future",  "Rust Condvar", "Rust Once"};
// Whoever holds it keeps the others out.
constexpr std::array types_of_locks = {"Rust Mutex", "Rust RwLock"};

std::string_view type_of(Catalogue const& catalogue, ObjectId object) {
    SiteId const first = catalogue.objects[object.index()].first_site;
    return first.is_none() ? std::string_view() : catalogue.sites[first.index()].library_type;
}

double share_of(Duration part, Duration whole) {
    return to_real(part).ns / std::max(1.0, to_real(whole).ns);
}

Finding doubtful_word(Catalogue const& catalogue, FutexUse const& use, Duration cpu) {
    bool const is_lock = std::ranges::count(types_of_locks, type_of(catalogue, use.object)) > 0;
    bool const is_java = type_of(catalogue, use.object) == java_park;
    Finding found{
        FindingKind::user_space_synchronisation, Severity::warning,
        "Threads spend " + percent_text(share_of(use.waiting, use.lifetimes)) + " of their time in " +
            counted(use.waits, "wait", "waits") + " at " +
            (is_java ? "monitors and locks of the Java VM" : display_name(catalogue, use.object)) + ". " +
            (is_lock ? "How long it is held where nobody waits for it leaves no trace, so "
                       "predictions can be too fast."
                     : "What did not have to wait leaves no trace, and some waits may have come only "
                       "from sharing one CPU, so predictions can be too fast or too slow."),
        ThreadId::none(), catalogue.objects[use.object.index()].first_site};
    found.hidden_serial_share = std::min(1.0, share_of(use.between, cpu));
    found.may_wait_less = !is_lock;
    return found;
}

}  // namespace

std::optional<Finding> user_space_synchronisation(Timeline const& recorded, Survey const& survey) {
    Catalogue const& catalogue = recorded.catalogue;
    for (FutexUse const& use : survey.futexes)
        if (use.waits >= fewest_waits && share_of(use.waiting, use.lifetimes) >= notable_waiting &&
            std::ranges::count(types_that_show_enough, type_of(catalogue, use.object)) == 0)
            return doubtful_word(catalogue, use, survey.cpu());
    auto const futex = std::ranges::find(catalogue.objects, ObjectKind::futex, &Object::kind);
    if (futex == catalogue.objects.end())
        return std::nullopt;
    return Finding{FindingKind::user_space_synchronisation, Severity::note,
                   "Threads synchronise by std::atomic or another futex of their own: operations that did "
                   "not have to wait on one CPU leave no trace. Where they keep threads from running at "
                   "the same time, predictions are too fast; where threads waited only since they share one "
                   "CPU, too slow.",
                   ThreadId::none(), futex->first_site};
}

}  // namespace parcast::analysis
