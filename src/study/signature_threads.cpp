#include "study/signature_threads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <vector>

#include "model/events_threads/dynamic_formulas.h"
#include "model/events_threads/load_imbalance.h"
#include "model/events_threads/over_threads.h"

namespace parcast::study {

namespace {

constexpr double another_role = 1.5;  // beyond the most or the least of the other threads

using OfThread = double (*)(ThreadSignature const&);

// What a thread has of something for each of what it counts: nanoseconds in reads for each read.
struct ThreadQuantity {
    OverThreads SignatureMeans::* mean;
    OfThread whole;
    OfThread count;
};

double one_of_thread(ThreadSignature const& /*row*/) {
    return 1;
}
double events_of_thread(ThreadSignature const& row) {
    return static_cast<double>(row.events);
}
double periods_of_thread(ThreadSignature const& row) {
    return static_cast<double>(row.events - 1);
}
double reads_of_thread(ThreadSignature const& row) {
    return static_cast<double>(row.reads);
}
double writes_of_thread(ThreadSignature const& row) {
    return static_cast<double>(row.writes);
}
double active_of_thread(ThreadSignature const& row) {
    return row.active_ns;
}
double data_of_thread(ThreadSignature const& row) {
    return row.data_bytes;
}
double communicating_of_thread(ThreadSignature const& row) {
    return row.communicating_ns;
}

double algorithmic_of_thread(ThreadSignature const& row) {
    return row.algorithmic_ns;
}
double other_blocking_of_thread(ThreadSignature const& row) {
    return row.other_blocking_ns;
}

constexpr std::array thread_quantities = std::to_array<ThreadQuantity>({
    {&SignatureMeans::events, events_of_thread, one_of_thread},
    {&SignatureMeans::active_ns, active_of_thread, one_of_thread},
    {&SignatureMeans::alpha_ns, active_of_thread, periods_of_thread},
    {&SignatureMeans::beta_ns, [](ThreadSignature const& row) { return row.suspended_ns(); },
     events_of_thread},
    {&SignatureMeans::communicating_ns, communicating_of_thread, events_of_thread},
    {&SignatureMeans::write_ns, [](ThreadSignature const& row) { return row.writing_ns; }, writes_of_thread},
    {&SignatureMeans::read_ns, [](ThreadSignature const& row) { return row.reading_ns; }, reads_of_thread},
    {&SignatureMeans::algorithmic_ns, algorithmic_of_thread, reads_of_thread},
    {&SignatureMeans::other_blocking_ns, other_blocking_of_thread, reads_of_thread},
    {&SignatureMeans::data_bytes, data_of_thread, one_of_thread},
    {&SignatureMeans::event_bytes, data_of_thread, events_of_thread},
    {&SignatureMeans::active_share, active_of_thread,
     [](ThreadSignature const& row) { return row.active_ns + row.communicating_ns; }},
    {&SignatureMeans::thread_writes, writes_of_thread, one_of_thread},
    {&SignatureMeans::thread_reads, reads_of_thread, one_of_thread},
    {&SignatureMeans::thread_communicating_ns, communicating_of_thread, one_of_thread},
    {&SignatureMeans::thread_algorithmic_ns, algorithmic_of_thread, one_of_thread},
    {&SignatureMeans::thread_other_ns, other_blocking_of_thread, one_of_thread},
    {&SignatureMeans::thread_outside_ns, [](ThreadSignature const& row) { return row.outside_ns; },
     one_of_thread},
});

// All threads' together, so that a thread weighs as much as it counts; its interval is that of the ratio of
// two means (Cochran 1977, section 6.3). Least and most of the threads that count any.
OverThreads ratio_over_threads(ThreadQuantity const& quantity,
                               std::vector<ThreadSignature const*> const& rows) {
    double whole = 0;
    double count = 0;
    std::vector<double> ratios;
    for (auto const* const row : rows) {
        auto const counted_here = quantity.count(*row);
        whole += quantity.whole(*row);
        count += counted_here;
        if (counted_here > 0)
            ratios.push_back(quantity.whole(*row) / counted_here);
    }
    OverThreads over;
    if (ratios.empty() || count <= 0)
        return over;
    over.mean = whole / count;
    over.least = std::ranges::min(ratios);
    over.most = std::ranges::max(ratios);
    auto const threads = static_cast<double>(rows.size());
    if (rows.size() < 2)
        return over;
    double squares = 0;
    for (auto const* const row : rows)
        squares += std::pow(quantity.whole(*row) - over.mean * quantity.count(*row), 2);
    auto const error = std::sqrt(squares / (threads - 1) / threads) / (count / threads);
    over.ci95 = model::student_95(threads - 1) * error;
    return over;
}

std::size_t counted_threads(RecordingSignature const& recording) {
    return static_cast<std::size_t>(std::ranges::count(recording.rows, true, &ThreadSignature::is_counted));
}

// The threads that count and are not the initial one.
std::vector<ThreadSignature const*> others_than_initial(RecordingSignature const& recording) {
    std::vector<ThreadSignature const*> others;
    for (auto const& row : recording.rows | std::views::drop(1))
        if (row.is_counted)
            others.push_back(&row);
    return others;
}

// The same beside an initial thread that counts; empty: it does not.
std::vector<ThreadSignature const*> beside_initial(RecordingSignature const& recording) {
    bool const counts = !recording.rows.empty() && recording.rows.front().is_counted;
    return counts ? others_than_initial(recording) : std::vector<ThreadSignature const*>();
}

// Other numbers of events than all others, or less to do than each of them. One that works as they do and
// prepares their data, too, is one of them, with more work.
bool has_another_role(ThreadSignature const& initial, std::vector<ThreadSignature const*> const& others) {
    auto const least = [&](OfThread quantity) {
        return quantity(*std::ranges::min(others, {}, [&](auto const* row) { return quantity(*row); }));
    };
    auto const most_events = events_of_thread(
        **std::ranges::max_element(others, {}, [](ThreadSignature const* row) { return row->events; }));
    return events_of_thread(initial) * another_role < least(events_of_thread) ||
           events_of_thread(initial) > another_role * most_events ||
           active_of_thread(initial) * another_role < least(active_of_thread);
}

double mean_over(std::vector<ThreadSignature const*> const& rows, OfThread quantity) {
    double sum = 0;
    for (auto const* const row : rows)
        sum += quantity(*row);
    return sum / static_cast<double>(rows.size());
}

// Otherwise more than so many threads run at times.
bool is_within(RecordingSignature const& recording, std::uint32_t threads) {
    constexpr double rounding = 1e-3;
    return recording.work_ns <= (1 + rounding) * threads * recording.time_ns;
}

constexpr double small_part = 0.1;  // of all work

double share_of_initial(RecordingSignature const& recording) {
    return recording.active_ns > 0 ? recording.rows.front().active_ns / recording.active_ns : 0;
}

// A small part of the work on average, since creating many threads may be a large part of a run of little
// work, and far less than others do where it is most of all. It may run while all others do: that makes a
// and P eta larger by no more than its share.
bool works_a_little(Recordings const& recordings) {
    constexpr double most_beside_others = 0.25;
    RecordingSignature const* fewest = nullptr;
    double shares = 0;
    double runs = 0;
    for (auto const& each : recordings) {
        auto const others = others_than_initial(each);
        if (others.empty())
            continue;
        shares += share_of_initial(each);
        ++runs;
        if (fewest == nullptr || others.size() < others_than_initial(*fewest).size())
            fewest = &each;
    }
    return fewest != nullptr && shares <= small_part * runs &&
           fewest->rows.front().active_ns <=
               most_beside_others * mean_over(others_than_initial(*fewest), active_of_thread);
}

}  // namespace

void take_initial_thread_out_of_threads(Recordings& recordings) {
    if (!works_a_little(recordings))
        return;
    for (auto& recording : recordings)
        if (!beside_initial(recording).empty()) {
            recording.rows.front().is_counted = false;
            --recording.threads;
        }
}

bool choose_threads_of_control(Recordings& recordings) {
    bool const has_threads = std::ranges::all_of(recordings, [](RecordingSignature const& recording) {
        auto const working = counted_threads(recording);
        bool const is_one_more =
            working == recording.threads + 1 && recording.rows.front().is_counted &&
            (is_within(recording, recording.threads) || share_of_initial(recording) <= small_part);
        return working == recording.threads || is_one_more;
    });
    for (auto& recording : recordings)
        if (has_threads && counted_threads(recording) > recording.threads)
            recording.rows.front().is_counted = false;
    return has_threads;
}

std::optional<InitialThread> leave_initial_thread_out(Recordings& recordings) {
    auto const& last = recordings.back();
    auto const others = beside_initial(last);
    if (others.empty())
        return std::nullopt;
    auto const& initial = last.rows.front();
    if (!has_another_role(initial, others))
        return std::nullopt;
    InitialThread const found{initial.name, initial.events, initial.active_ns,
                              mean_over(others, events_of_thread), mean_over(others, active_of_thread)};
    for (auto& recording : recordings)
        if (!beside_initial(recording).empty())
            recording.rows.front().is_in_means = false;
    return found;
}

void add_means(RecordingSignature& recording, bool has_threads) {
    std::vector<ThreadSignature const*> rows;
    std::vector<double> work;
    for (auto const& row : recording.rows)
        if (row.is_counted && row.is_in_means) {
            rows.push_back(&row);
            work.push_back(row.active_ns);
        }
    auto& means = recording.means;
    for (auto const& quantity : thread_quantities)
        means.*quantity.mean = ratio_over_threads(quantity, rows);
    recording.imbalance = model::load_imbalance_of_known(work);
    if (recording.time_ns > 0) {
        recording.nu = recording.work_ns / recording.time_ns;
        recording.nu_active = recording.active_ns / recording.time_ns;
        if (has_threads)
            recording.speed_up_bound = recording.nu_active;
        if (recording.events > 0)
            recording.event_interval_ns = recording.time_ns * static_cast<double>(recording.threads) /
                                          static_cast<double>(recording.events);
    }
    if (means.events.mean < 1)
        return;
    auto const formulas = model::dynamic_formulas(
        {means.events.mean, means.alpha_ns.mean, means.beta_ns.mean}, static_cast<double>(rows.size()));
    recording.gamma = formulas.gamma;
    recording.eta = formulas.eta;
    recording.approximate_eta = formulas.approximate_eta;
    recording.formula_time_ns = formulas.time;
}

}  // namespace parcast::study
