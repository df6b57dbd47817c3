#include "forecast/hot_locks.h"

#include <algorithm>
#include <string>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"

namespace parcast::forecast {

namespace {

constexpr double least_share = 0.1;
constexpr std::int64_t fewest_operations = 100;  // of less, nothing is said about how often it is wanted

struct HotLock {
    Row const* row = nullptr;
    ObjectId lock = ObjectId::none();
    double share = 0;  // of the CPUs' time
};

bool is_program_lock(Catalogue const& catalogue, ObjectId object) {
    auto const kind = catalogue.objects[object.index()].kind;
    return kind == ObjectKind::mutex || kind == ObjectKind::reader_writer_lock;
}

HotLock hottest(std::span<Row const> rows, Catalogue const& catalogue) {
    HotLock found;
    for (Row const& row : rows) {
        auto const& accounts = row.run.accounts;
        double const whole = to_real(accounts.completion).ns * accounts.cpus;
        for (std::size_t i = 0; i < accounts.objects.size(); ++i) {
            double const share = whole > 0 ? to_real(accounts.objects[i].spinning).ns / whole : 0;
            if (share > found.share && accounts.objects[i].operations >= fewest_operations &&
                is_program_lock(catalogue, ObjectId(i)))
                found = {&row, ObjectId(i), share};
        }
    }
    return found;
}

// On average, on all CPUs together.
Duration time_of_one(HotLock const& hot) {
    auto const& accounts = hot.row->run.accounts;
    auto const operations = std::max<std::int64_t>(1, accounts.objects[hot.lock.index()].operations);
    return {accounts.completion.ns / operations};
}

}  // namespace

std::optional<Finding> hot_locks(std::span<Row const> rows, Catalogue const& catalogue,
                                 Machine const& machine) {
    if (machine.costs.hot_handover.ns == 0 || machine.waiting.lock_spin.ns > 0)
        return std::nullopt;
    auto const hot = hottest(rows, catalogue);
    if (hot.share < least_share)
        return std::nullopt;
    auto const& object = catalogue.objects[hot.lock.index()];
    return Finding{
        FindingKind::hot_locks, Severity::warning,
        "CPUs want " + display_name(catalogue, hot.lock) + " at the same moment: on " +
            counted(hot.row->cpus, "CPU") + " it is taken every " + time_text(time_of_one(hot)) + ", and " +
            percent_text(hot.share) +
            " of the CPUs' time passes while the lock goes from one to the other, whatever is done under it. "
            "Such a prediction is good for a factor, not for per cents. Hold the lock less often: do more "
            "work each time, or give each thread a lock and data of its own.",
        ThreadId::none(), object.first_site};
}

}  // namespace parcast::forecast
