#include "analysis/limits.h"

#include <algorithm>

namespace parcast::analysis {

namespace {

Cause cause_of(ObjectKind kind) {
    switch (kind) {
        case ObjectKind::mutex:
        case ObjectKind::spin_lock:
        case ObjectKind::reader_writer_lock: return Cause::lock;
        case ObjectKind::condition:
        case ObjectKind::barrier:
        case ObjectKind::semaphore:
        case ObjectKind::once:
        case ObjectKind::futex: return Cause::condition;
        case ObjectKind::descriptor: return Cause::input_output;
        case ObjectKind::message: return Cause::message;
    }
    return Cause::condition;
}

Duration lost_to(ObjectAccount const& account, ObjectKind kind, Cause cause) {
    if (cause == Cause::spinning)
        return account.spinning;
    return cause_of(kind) == cause ? account.idle_processors : Duration{0};
}

// The objects that lost most for this cause, at most `most` of them.
std::vector<Limit> largest_objects(Accounts const& accounts, Catalogue const& catalogue, Cause cause,
                                   std::size_t most) {
    std::vector<Limit> rows;
    std::size_t const objects = std::min(accounts.objects.size(), catalogue.objects.size());
    for (std::size_t i = 0; i < objects; ++i) {
        Duration const lost = lost_to(accounts.objects[i], catalogue.objects[i].kind, cause);
        if (lost > Duration{0})
            rows.push_back({cause, ObjectId(i), lost, 0});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](Limit const& a, Limit const& b) { return a.processor_time > b.processor_time; });
    rows.resize(std::min(rows.size(), most));
    return rows;
}

// The rows of one cause: its largest objects, and the rest, so that they sum to its total.
void append_rows(std::vector<Limit>& rows, Accounts const& accounts, Catalogue const& catalogue, Cause cause,
                 std::size_t objects_each) {
    Duration left = row_of(cause).total(accounts);
    if (row_of(cause).has_objects) {
        for (Limit row : largest_objects(accounts, catalogue, cause, objects_each)) {
            row.processor_time = std::min(row.processor_time, left);
            left -= row.processor_time;
            rows.push_back(row);
        }
    }
    rows.push_back({cause, ObjectId::none(), left, 0});
}

}  // namespace

std::vector<Limit> limits(Accounts const& accounts, Catalogue const& catalogue, std::size_t objects_each) {
    std::vector<Limit> rows;
    for (std::size_t cause = 0; cause < causes.size(); ++cause)
        append_rows(rows, accounts, catalogue, static_cast<Cause>(cause), objects_each);
    std::erase_if(rows, [](Limit const& row) { return row.processor_time == Duration{0}; });
    double const whole = to_real(accounts.completion).ns * accounts.cpus;
    for (Limit& row : rows)
        row.share = to_real(row.processor_time).ns / whole;
    std::stable_sort(rows.begin(), rows.end(), [](Limit const& a, Limit const& b) {
        if ((a.cause == Cause::busy) != (b.cause == Cause::busy))
            return a.cause == Cause::busy;
        return a.processor_time > b.processor_time;
    });
    return rows;
}

}  // namespace parcast::analysis
