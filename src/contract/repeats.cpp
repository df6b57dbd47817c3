#include "contract/repeats.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace parcast::contract {

namespace {

Row const* row_on(Answer const& answer, std::uint32_t cpus) {
    auto const found = std::ranges::find(answer.rows, cpus, &Row::cpus);
    return found == answer.rows.end() ? nullptr : &*found;
}

Range union_of(Range const& a, Range const& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// A number without a range is one by itself.
RowRange range_of(Row const& row) {
    return row.range.value_or(RowRange{{row.time_ns, row.time_ns}, {row.speed_up, row.speed_up}, {}});
}

double square_of_reach(double value, Range const& range) {
    double const up = range.high > 0 && value > 0 ? std::log(range.high / value) : 0;
    double const down = range.low > 0 && value > 0 ? std::log(value / range.low) : 0;
    return std::max(up, down) * std::max(up, down);
}

// The wider range's variance is the narrower one's, and that of recordings.
void attribute_to_recordings(Row const& row, RowRange const& before, RowRange& after) {
    double const all = square_of_reach(row.time_ns, after.time_ns);
    if (all <= 0)
        return;
    double const kept = std::min(1.0, square_of_reach(row.time_ns, before.time_ns) / all);
    for (std::size_t i = 0; i < uncertainties; ++i)
        after.shares[i] = before.shares[i] * kept;
    after.shares[static_cast<std::size_t>(Uncertainty::recording)] += 1 - kept;
}

void widen(Row& row, std::span<Answer const> answers) {
    auto const before = range_of(row);
    auto after = before;
    for (auto const& answer : answers) {
        auto const* const other = row_on(answer, row.cpus);
        if (other == nullptr)
            continue;
        // Without a range for one of them, there is none for all.
        if (other->run.deadlock || (row.range && !other->range)) {
            row.range.reset();
            return;
        }
        auto const range = range_of(*other);
        after.time_ns = union_of(after.time_ns, range.time_ns);
        after.speed_up = union_of(after.speed_up, range.speed_up);
    }
    attribute_to_recordings(row, before, after);
    row.range = after;
}

}  // namespace

std::size_t median_recording(std::span<Answer const> answers) {
    std::vector<std::pair<double, std::size_t>> times;
    for (std::size_t i = 0; i < answers.size(); ++i)
        times.emplace_back(answers[i].rows.empty() ? 0 : answers[i].rows.back().time_ns, i);
    std::ranges::sort(times);
    return times[times.size() / 2].second;
}

Answer with_ranges_of_all(Answer answer, std::span<Answer const> answers) {
    if (answers.size() < 2)
        return answer;
    for (auto& row : answer.rows)
        if (!row.run.deadlock)
            widen(row, answers);
    for (auto const& other : answers)
        for (auto const& finding : other.findings) {
            auto const says_as_much = [&](Finding const& known) {
                return known.kind == finding.kind && known.makes_worthless >= finding.makes_worthless &&
                       (known.severity == finding.severity || known.severity == Severity::warning);
            };
            if (std::ranges::any_of(answer.findings, says_as_much))
                continue;
            // Their ids are of another catalogue.
            auto copy = finding;
            copy.thread = ThreadId::none();
            copy.site = SiteId::none();
            answer.findings.push_back(std::move(copy));
        }
    return answer;
}

HeldLock with_range_of(HeldLock held, HeldLock const& other) {
    auto const own = held.range.value_or(Range{held.share, held.share});
    held.range = union_of(own, other.range.value_or(Range{other.share, other.share}));
    return held;
}

}  // namespace parcast::contract
