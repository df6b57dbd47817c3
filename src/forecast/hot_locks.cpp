#include "forecast/hot_locks.h"

#include <algorithm>
#include <string>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "machine/idling.h"

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

// Locks that several threads take, all together.
struct SharedLocks {
    std::int64_t operations = 0;
    ObjectId most = ObjectId::none();
    double share = 0;  // of the CPUs' busy time, if each came from another CPU
};

SharedLocks shared_locks(Row const& row, Catalogue const& catalogue, Machine const& machine) {
    SharedLocks found;
    auto const& accounts = row.run.accounts;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < accounts.objects.size(); ++i) {
        auto const& each = accounts.objects[i];
        bool const is_shared = each.blocked_operations > 0 || each.spinning.ns > 0;
        if (!is_shared || !is_program_lock(catalogue, ObjectId(i)))
            continue;
        found.operations += each.operations;
        if (each.operations > most) {
            most = each.operations;
            found.most = ObjectId(i);
        }
    }
    auto const coming = to_real(machine.costs.hot_handover).ns * static_cast<double>(found.operations);
    found.share = coming / std::max(1.0, to_real(accounts.busy).ns);
    return found;
}

// Where a replay sees few of them at the same moment, but they are so many that their lines and those of the
// data under them may go to and fro all the time.
std::optional<Finding> often_taken(std::span<Row const> rows, Catalogue const& catalogue,
                                   Machine const& machine) {
    for (Row const& row : rows) {
        if (row.cpus < 2 || row.run.deadlock)
            continue;
        auto const locks = shared_locks(row, catalogue, machine);
        if (locks.operations < fewest_operations || locks.share < least_share)
            continue;
        Duration const every{row.run.accounts.busy.ns / locks.operations};
        return Finding{
            FindingKind::hot_locks, Severity::warning,
            "Threads take locks that others take, too, every " + time_text(every) + " of CPU time, mostly " +
                display_name(catalogue, locks.most) +
                ". Where its line, or that of the data under it, comes from another CPU, that takes " +
                time_text(machine.costs.hot_handover) +
                " and more each; how often, a recording on one CPU does not tell, so several CPUs "
                "may be slower than predicted. Take locks less often: do more work each time, or "
                "give each thread a lock and data of its own.",
            ThreadId::none(), catalogue.objects[locks.most.index()].first_site};
    }
    return std::nullopt;
}

bool hands_over(ObjectKind kind) {
    return kind == ObjectKind::condition || kind == ObjectKind::semaphore;
}

// What hands over the smallest pieces of work, of all that do so again and again.
struct SmallPieces {
    ObjectId through = ObjectId::none();
    Duration piece{0};    // CPU time
    Duration wake_up{0};  // of a CPU that has been idle for so long
    double lengthened = 1;
};

// A replay knows nothing of a signal for which nobody waited on one CPU; on two there may be somebody.
std::int64_t calls_on(ObjectId object, Row const& row, RecordingBasis const& basis) {
    auto const found = std::ranges::lower_bound(basis.hand_overs, object, {}, &RecordedCalls::object);
    bool const is_known = found != basis.hand_overs.end() && found->object == object;
    return std::max(is_known ? found->calls : 0, row.run.accounts.objects[object.index()].operations);
}

SmallPieces smallest_pieces(Row const& row, RecordingBasis const& basis, Machine const& machine) {
    SmallPieces found;
    auto const& accounts = row.run.accounts;
    if (accounts.cpus < 2 || accounts.completion.ns <= 0 || row.run.deadlock)
        return found;
    for (std::size_t i = 0; i < accounts.objects.size(); ++i) {
        auto const operations = calls_on(ObjectId(i), row, basis);
        if (operations < fewest_operations || !hands_over(basis.catalogue.objects[i].kind))
            continue;
        Duration const piece{accounts.busy.ns / operations};
        // A thread that waits for the next piece leaves its CPU idle for about as long as a piece takes.
        Duration const wake_up{
            after_idling(machine.costs, piece.ns, machine.costs.wake_up_soon, machine.costs.wake_up)};
        auto const waking = to_real(wake_up).ns * static_cast<double>(operations);
        double const lengthened = 1 + waking / to_real(accounts.completion).ns;
        if (piece < wake_up && lengthened > std::max(1 + least_share, found.lengthened))
            found = {ObjectId(i), piece, wake_up, lengthened};
    }
    return found;
}

std::optional<Finding> small_pieces(std::span<Row const> rows, RecordingBasis const& basis,
                                    Machine const& machine) {
    Catalogue const& catalogue = basis.catalogue;
    SmallPieces found;
    for (Row const& row : rows)
        if (auto here = smallest_pieces(row, basis, machine); here.lengthened > found.lengthened)
            found = here;
    if (found.through.is_none())
        return std::nullopt;
    Finding finding{
        FindingKind::hot_locks, Severity::warning,
        "Threads hand work to each other through " + display_name(catalogue, found.through) +
            " in pieces that take " + time_text(found.piece) + " of CPU time, and to wake a thread takes " +
            time_text(found.wake_up) +
            ". How often threads sleep between two pieces decides the time, and a recording on one CPU does "
            "not tell: more CPUs may make the program slower. Hand over more work at a time.",
        ThreadId::none(), catalogue.objects[found.through.index()].first_site};
    finding.makes_worthless = true;
    return finding;
}

}  // namespace

double most_lengthened_by_wake_ups(Row const& row, RecordingBasis const& basis, Machine const& machine) {
    return smallest_pieces(row, basis, machine).lengthened;
}

std::vector<RecordedCalls> recorded_hand_overs(Catalogue const& catalogue,
                                               std::span<ObjectProfile const> objects) {
    std::vector<RecordedCalls> calls;
    for (ObjectProfile const& each : objects) {
        bool const is_condition = catalogue.objects[each.object.index()].kind == ObjectKind::condition;
        if (is_condition && each.contended > 0 && each.operations >= fewest_operations)
            calls.push_back({each.object, each.operations});
    }
    std::ranges::sort(calls, {}, &RecordedCalls::object);
    return calls;
}

std::optional<Finding> hot_locks(std::span<Row const> rows, RecordingBasis const& basis,
                                 Machine const& machine) {
    Catalogue const& catalogue = basis.catalogue;
    if (auto pieces = small_pieces(rows, basis, machine))
        return pieces;
    if (machine.costs.hot_handover.ns == 0 || machine.waiting.lock_spin.ns > 0)
        return std::nullopt;
    auto const hot = hottest(rows, catalogue);
    if (hot.share < least_share)
        return often_taken(rows, catalogue, machine);
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
