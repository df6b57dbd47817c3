#include "forecast/recorded_wake_ups.h"

#include <algorithm>
#include <string>

#include "core/counted.h"
#include "core/percent_text.h"

namespace parcast::forecast {

namespace {

constexpr double notable_share = 0.05;    // of the work
constexpr double least_lost = 0.1;        // of the CPUs' time, to all waits for other threads, and
constexpr double least_lost_here = 0.02;  // to those that are as recorded
constexpr double least_gain = 1.1;        // times as fast without any wait

bool hands_over(Catalogue const& catalogue, ObjectId object) {
    auto const kind = catalogue.objects[object.index()].kind;
    return kind == ObjectKind::condition || kind == ObjectKind::semaphore;
}

// Whether threads wait for it as they did in the recording. REQUIRES: they wait for another thread there.
bool is_as_recorded(RecordingBasis const& basis, ObjectId object) {
    if (basis.model == "direct")
        return std::ranges::binary_search(basis.paired, object);
    return hands_over(basis.catalogue, object) || basis.model == "ordered";
}

struct Lost {
    Row const* row = nullptr;
    ObjectId most_for = ObjectId::none();
    double share = 0;
};

Lost lost_on(Row const& row, RecordingBasis const& basis) {
    auto const& accounts = row.run.accounts;
    Lost lost{&row};
    // An idle CPU is charged to all threads that wait, also to those that have nothing to do.
    std::int64_t all = 0;
    std::int64_t as_recorded = 0;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < accounts.objects.size(); ++i) {
        ObjectId const object(i);
        auto const here = accounts.objects[i].idle_processors.ns;
        bool const is_recorded = here > 0 && is_as_recorded(basis, object) &&
                                 basis.catalogue.objects[i].kind != ObjectKind::descriptor;
        all += is_recorded || hands_over(basis.catalogue, object) ? here : 0;
        as_recorded += is_recorded ? here : 0;
        if (is_recorded && here > most) {
            most = here;
            lost.most_for = object;
        }
    }
    double const whole = row.time_ns * accounts.cpus;
    if (static_cast<double>(as_recorded) >= least_lost_here * whole && whole > 0)
        lost.share = static_cast<double>(all) / whole;
    return lost;
}

bool may_be_faster(Row const& row) {
    return row.time_ns >= least_gain * without_waits_ns(row.run.accounts);
}

std::string what_is_as_recorded(RecordingBasis const& basis, ObjectId most_for) {
    auto const name = display_name(basis.catalogue, most_for);
    if (basis.model == "ordered")
        return "Threads wait and take locks in the order of the recording, mostly for " + name;
    return "Waits for " + name + (basis.paired.size() == 1 ? "" : " and others") +
           " get the wake-up that ended them in the recording" +
           (basis.model == "client-server" ? ", in whatever order" : "");
}

}  // namespace

double without_waits_ns(Accounts const& accounts) {
    double const all = to_real(accounts.busy).ns;
    std::uint32_t workers = 0;
    double longest = 0;
    for (ThreadAccount const& thread : accounts.threads) {
        double const works = to_real(thread[ThreadState::running]).ns;
        workers += works >= notable_share * all ? 1 : 0;
        longest = std::max(longest, works + to_real(thread[ThreadState::input_output]).ns +
                                        to_real(thread[ThreadState::sleeping]).ns);
    }
    return std::max(longest, all / std::max(1U, std::min(accounts.cpus, workers)));
}

std::optional<Finding> recorded_wake_ups(std::span<Row const> rows, RecordingBasis const& basis) {
    bool const is_forced = !basis.abandoned.empty();
    if (!basis.provenance || (!is_forced && basis.model != "ordered"))
        return std::nullopt;
    Lost lost;
    for (Row const& row : rows)
        if (row.cpus > 1 && !row.run.deadlock && may_be_faster(row))
            if (auto const here = lost_on(row, basis); here.share > lost.share)
                lost = here;
    if (lost.share < least_lost)
        return std::nullopt;
    Finding found{
        FindingKind::recorded_wake_ups, Severity::warning,
        what_is_as_recorded(basis, lost.most_for) +
            (is_forced ? ", since the replay deadlocks otherwise. On "
                       : ", as the ordered model has it. On ") +
            counted(lost.row->cpus, "CPU") + " " + percent_text(lost.share) +
            " of the CPUs' time is lost to these and other waits for threads. In a real run another "
            "thread may come first, and the program may be faster.",
        ThreadId::none(), basis.catalogue.objects[lost.most_for.index()].first_site};
    found.may_wait_less = true;
    return found;
}

}  // namespace parcast::forecast
