#include "forecast/doubtful_times.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <string>

#include <fmt/core.h>

#include "core/counted.h"
#include "core/time_text.h"
#include "simulate/simulate.h"

namespace parcast::forecast {

namespace {

constexpr std::uint32_t fewest_holds = 64;        // at a site, that tell what is usual there
constexpr std::uint32_t most_lone = 3;            // at a site: more are what the program does
constexpr std::int64_t far_longer = 16;           // times as long as the usual ones
constexpr double notable_share = 0.01;            // of the work of the program
constexpr std::int64_t most_copied = 50'000'000;  // operations: 12 to 28 bytes each

// A timer that is read and a poll that ran out are naps, too.
bool is_open_nap(Operation const& operation, Polling const& polling) {
    return !polling.is_understood && is_delay(operation.kind()) && operation.site() == polling.site;
}

bool has_open_naps(ThreadProgram const& program) {
    return !std::ranges::all_of(program.polling, &Polling::is_understood);
}

ThreadProgram without_open_naps(ThreadProgram program) {
    for (auto& list : program.lists)
        for (std::size_t i = 0; i < list.size(); ++i)
            if (auto const each = list[i];
                std::ranges::any_of(program.polling, [&](auto const& at) { return is_open_nap(each, at); }))
                list.change(i, [](Operation& nap) { nap.value = 0; });
    return program;
}

// From the operation after the one that takes the lock to the one that gives it up.
struct Hold {
    SiteId site = SiteId::none();
    ObjectId lock = ObjectId::none();
    std::size_t first = 0;
    std::size_t last = 0;
    std::int64_t work_ns = 0;
};

// Calls `on_hold` for each of a list. A wait on a condition is within the hold of its mutex.
template <class OnHold>
void for_each_hold(OperationList const& list, OnHold const& on_hold) {
    std::vector<Hold> held;
    for (std::size_t i = 0; i < list.size(); ++i) {
        Operation const each = list[i];
        for (Hold& hold : held)
            hold.work_ns += each.work_ns;
        auto const role = traits_of(each.kind()).role;
        if (role == Role::takes_lock)
            held.push_back({each.site(), each.object_id(), i + 1, 0, 0});
        if (role != Role::releases_lock)
            continue;
        auto const hold = std::ranges::find(held, each.object_id(), &Hold::lock);
        if (hold == held.end())
            continue;
        hold->last = i;
        if (!hold->site.is_none())
            on_hold(*hold);
        held.erase(hold);
    }
}

// Counts the holds of a site by length: in entry i those that take less than 2^i ns, and no less than half of
// that.
struct HoldLengths {
    std::array<std::uint32_t, 64> of_length{};
    std::uint32_t all = 0;

    void add(std::int64_t work_ns) {
        ++of_length[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(work_ns)))];
        ++all;
    }
    Duration usual() const {
        std::uint32_t shorter = 0;
        std::size_t i = 0;
        while (i + 1 < of_length.size() && shorter + of_length[i] < 0.99 * (all - most_lone))
            shorter += of_length[i++];
        return {std::int64_t{1} << std::min<std::size_t>(i, 62)};
    }
};

bool is_lone(Hold const& hold, LoneHolds const& at) {
    return hold.site == at.site && hold.work_ns > far_longer * at.usual.ns;
}

void include(double value, Range& range) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
}

// None: it deadlocks.
Result<std::optional<double>> time_of(CheckedProgram const& program, Forecast const& forecast,
                                      std::uint32_t cpus) {
    auto const run = simulate::run(program, with_cpus(forecast.machine, cpus), {.pairing = forecast.pairing});
    if (!run)
        return pass_on(run);
    bool const ends = !run->deadlock && run->accounts.completion.ns > 0;
    return ends ? std::optional(to_real(run->accounts.completion).ns) : std::nullopt;
}

Result<void> reach_to(ThreadProgram const& program, Forecast const& forecast, std::span<Row* const> rows) {
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto const one = time_of(*checked, forecast, 1);
    if (!one)
        return pass_on(one);
    for (Row* const row : rows) {
        if (!row->range)
            continue;
        auto const time = row->cpus == 1 ? one : time_of(*checked, forecast, row->cpus);
        if (!time)
            return pass_on(time);
        if (!*time)
            continue;
        include(**time, row->range->time_ns);
        if (row->cpus > 1 && *one)
            include(**one / **time, row->range->speed_up);
    }
    return {};
}

std::string sentence_on(LoneHolds const& lone, Catalogue const& catalogue) {
    return fmt::format(
        "A lock that is taken at {} was held {} for up to {}, where 99 of 100 holds take less than {}: "
        "ranges reach to where it is held as usual.",
        display_name(catalogue, lone.site), lone.count == 1 ? "once" : counted(lone.count, "time"),
        time_text(lone.longest), time_text(lone.usual));
}

}  // namespace

std::vector<LoneHolds> lone_holds(ThreadProgram const& program) {
    std::map<SiteId, HoldLengths> lengths;
    for (auto const& list : program.lists)
        for_each_hold(list, [&](Hold const& hold) { lengths[hold.site].add(hold.work_ns); });
    std::vector<LoneHolds> all;
    for (auto const& [site, of_site] : lengths)
        if (of_site.all >= fewest_holds)
            all.push_back({site, 0, {}, of_site.usual()});
    if (all.empty())
        return {};
    std::map<SiteId, std::int64_t> together_ns;
    for (auto const& list : program.lists) {
        for_each_hold(list, [&](Hold const& hold) {
            auto const at = std::ranges::lower_bound(all, hold.site, {}, &LoneHolds::site);
            if (at == all.end() || !is_lone(hold, *at))
                return;
            ++at->count;
            at->longest = std::max(at->longest, Duration{hold.work_ns});
            together_ns[hold.site] += hold.work_ns;
        });
    }
    double const notable_ns = notable_share * static_cast<double>(work_ns(program));
    std::erase_if(all, [&](LoneHolds const& at) {
        return at.count == 0 || at.count > most_lone ||
               static_cast<double>(together_ns[at.site]) < notable_ns;
    });
    return all;
}

ThreadProgram with_usual_holds(ThreadProgram program, std::vector<LoneHolds> const& lone) {
    for (auto& list : program.lists) {
        std::vector<Hold> found;
        for_each_hold(list, [&](Hold const& hold) {
            if (std::ranges::any_of(lone, [&](LoneHolds const& at) { return is_lone(hold, at); }))
                found.push_back(hold);
        });
        for (Hold const& hold : found) {
            auto const usual = std::ranges::find(lone, hold.site, &LoneHolds::site)->usual;
            std::int64_t work_ns = 0;  // less than it was if a lone hold lies within
            for (auto i = hold.first; i <= hold.last; ++i)
                work_ns += list[i].work_ns;
            if (work_ns <= usual.ns)
                continue;
            double const left = static_cast<double>(usual.ns) / static_cast<double>(work_ns);
            for (auto i = hold.first; i <= hold.last; ++i)
                list.set_work(i, std::llround(left * static_cast<double>(list[i].work_ns)));
        }
    }
    return program;
}

Result<void> reach_without_doubtful_times(Forecast& forecast, std::span<Row* const> rows) {
    if (has_open_naps(forecast.threads()))
        if (auto const reached = reach_to(without_open_naps(forecast.threads()), forecast, rows); !reached)
            return pass_on(reached);
    if (operation_count(forecast.threads()) > most_copied)
        return {};
    auto const lone = lone_holds(forecast.threads());
    if (lone.empty())
        return {};
    for (LoneHolds const& at : lone)
        forecast.answer.assumptions.push_back(sentence_on(at, forecast.threads().catalogue));
    return reach_to(with_usual_holds(forecast.threads(), lone), forecast, rows);
}

}  // namespace parcast::forecast
