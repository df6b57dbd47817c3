#include "study/signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "core/counted.h"
#include "core/leading_number.h"
#include "model/events_threads/added_work.h"
#include "model/events_threads/characteristic.h"
#include "model/events_threads/characteristic_fit.h"
#include "model/events_threads/dynamic_formulas.h"
#include "model/events_threads/load_imbalance.h"
#include "model/events_threads/other_laws.h"
#include "model/events_threads/over_threads.h"
#include "model/events_threads/speed_up_theorem.h"

namespace parcast::study {

namespace {

using Recordings = std::vector<RecordingSignature>;

constexpr std::size_t most_causes = 10;
constexpr double scaled_from = 0.6;        // exponent of the active work over P
constexpr double differing_threads = 1.5;  // most events of a thread over the mean

// The program, wherever it lies.
std::string program_of(RecordingSignature const& recording) {
    return recording.command.empty() ? ""
                                     : std::filesystem::path(recording.command.front()).filename().string();
}

// "runs/solver.8.parcast" -> 8
Result<std::uint32_t> number_in_name(std::string const& file) {
    auto const stem = std::filesystem::path(file).stem().string();
    auto begin = stem.size();
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(stem[begin - 1])) != 0)
        --begin;
    auto const found = number_in<std::uint32_t>(stem.substr(begin));
    if (found && *found > 0)
        return *found;
    return fail(make_error(ErrorCode::malformed,
                           file + ": its name has no number of threads before its ending",
                           "Such as solver.8.parcast; or leave --threads-from out."));
}

Result<void> check_run(RecordingSignature const& recording) {
    bool const has_failed = has_finding(recording.findings, FindingKind::exit_status) ||
                            has_finding(recording.findings, FindingKind::killed);
    if (!has_failed || recording.is_cut_short)
        return {};
    return fail(make_error(ErrorCode::inconsistent, recording.file + ": the program failed in this run",
                           "Why: parcast info --findings " + recording.file));
}

Result<void> check_programs(Recordings const& recordings) {
    auto const& first = recordings.front();
    for (auto const& recording : recordings) {
        if (program_of(recording) != program_of(first))
            return fail(make_error(ErrorCode::inconsistent,
                                   "a series is of one program: " + first.file + " is of " +
                                       program_of(first) + ", " + recording.file + " of " +
                                       program_of(recording),
                                   "Two programs: parcast signature FOLDER --compare OTHER"));
        if (auto const checked = check_run(recording); !checked)
            return checked;
    }
    return {};
}

Result<void> check_counts(Recordings const& recordings) {
    for (std::size_t i = 1; i < recordings.size(); ++i) {
        auto const& before = recordings[i - 1];
        auto const& here = recordings[i];
        if (before.threads == here.threads)
            return fail(make_error(
                ErrorCode::inconsistent,
                before.file + " and " + here.file + " both have " +
                    counted(std::int64_t{here.threads}, "working thread"),
                "A series has one recording for each number of threads; --threads-from name takes the number "
                "from the files' names."));
    }
    return {};
}

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

constexpr std::array thread_quantities = std::to_array<ThreadQuantity>({
    {&SignatureMeans::events, events_of_thread, one_of_thread},
    {&SignatureMeans::active_ns, active_of_thread, one_of_thread},
    {&SignatureMeans::alpha_ns, active_of_thread, periods_of_thread},
    {&SignatureMeans::beta_ns, [](ThreadSignature const& row) { return row.suspended_ns(); },
     events_of_thread},
    {&SignatureMeans::communicating_ns, communicating_of_thread, events_of_thread},
    {&SignatureMeans::write_ns, [](ThreadSignature const& row) { return row.writing_ns; }, writes_of_thread},
    {&SignatureMeans::read_ns, [](ThreadSignature const& row) { return row.reading_ns; }, reads_of_thread},
    {&SignatureMeans::algorithmic_ns, [](ThreadSignature const& row) { return row.algorithmic_ns; },
     reads_of_thread},
    {&SignatureMeans::other_blocking_ns, [](ThreadSignature const& row) { return row.other_blocking_ns; },
     reads_of_thread},
    {&SignatureMeans::data_bytes, data_of_thread, one_of_thread},
    {&SignatureMeans::event_bytes, data_of_thread, events_of_thread},
    {&SignatureMeans::active_share, active_of_thread,
     [](ThreadSignature const& row) { return row.active_ns + row.communicating_ns; }},
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

void add_means(RecordingSignature& recording) {
    std::vector<ThreadSignature const*> rows;
    std::vector<double> work;
    for (auto const& row : recording.rows)
        if (row.is_counted) {
            rows.push_back(&row);
            work.push_back(row.active_ns);
        }
    auto& means = recording.means;
    for (auto const& quantity : thread_quantities)
        means.*quantity.mean = ratio_over_threads(quantity, rows);
    recording.imbalance = model::load_imbalance_of_known(work);
    if (means.events.mean < 1)
        return;
    auto const formulas = model::dynamic_formulas(
        {means.events.mean, means.alpha_ns.mean, means.beta_ns.mean}, static_cast<double>(rows.size()));
    recording.gamma = formulas.gamma;
    recording.eta = formulas.eta;
    recording.approximate_eta = formulas.approximate_eta;
    recording.formula_time_ns = formulas.time;
    recording.speed_up_bound = formulas.speed_up_bound;
}

void add_profile_means(RecordingSignature& recording) {
    if (recording.time_ns <= 0)
        return;
    recording.nu = recording.work_ns / recording.time_ns;
    recording.nu_active = recording.active_ns / recording.time_ns;
    if (recording.events > 0)
        recording.event_interval_ns = recording.time_ns * static_cast<double>(recording.threads) /
                                      static_cast<double>(recording.events);
}

// Does each thread bring work of its own?
void find_scaling(SignatureAnswer& answer) {
    auto const& first = answer.recordings.front();
    auto const& last = answer.recordings.back();
    answer.has_one_thread = first.threads == 1;
    if (first.threads == last.threads || first.active_ns <= 0 || last.active_ns <= 0)
        return;
    answer.work_exponent = std::log(last.active_ns / first.active_ns) /
                           std::log(static_cast<double>(last.threads) / static_cast<double>(first.threads));
    answer.is_scaled = answer.work_exponent > scaled_from;
}

void add_speed_ups(SignatureAnswer& answer, SeriesQuestion const& question) {
    auto& recordings = answer.recordings;
    for (auto& recording : recordings)
        for (auto const& measured : question.measured)
            if (measured.threads == recording.threads)
                recording.measured = measured.speed_up;
    bool const is_over_one = answer.has_one_thread && !answer.is_scaled;
    auto const time = recordings.front().time_ns;
    auto const work = recordings.front().work_ns;
    if (is_over_one && (time <= 0 || work <= 0))
        return;
    for (auto& recording : recordings) {
        if (recording.time_ns <= 0 || recording.active_ns <= 0)
            continue;
        auto const parts = model::speed_up_parts(static_cast<double>(recording.threads), recording.nu,
                                                 recording.work_ns, is_over_one ? work : recording.active_ns);
        recording.a = parts.a;
        recording.b = parts.b;
        recording.speed_up = is_over_one ? time / recording.time_ns : recording.nu_active;
    }
}

std::vector<model::EventCount> event_counts(Recordings const& recordings) {
    std::vector<model::EventCount> counts;
    for (auto const& recording : recordings)
        counts.push_back({static_cast<double>(recording.threads), static_cast<double>(recording.events)});
    return counts;
}

SignatureCharacteristic characteristic_of(model::CharacteristicFit const& fit) {
    SignatureCharacteristic g;
    auto const words = model::words_of(fit.growth);
    g.word = words.word;
    g.sentence = words.sentence;
    g.formula = fit.best().formula;
    g.exponent = fit.exponent;
    g.exponent_95 = fit.exponent_95;
    g.few_counts = fit.few_counts;
    for (std::size_t i = 0; i < fit.candidates.size(); ++i) {
        auto const& each = fit.candidates[i];
        bool const is_as_good = std::ranges::find(fit.as_good, i) != fit.as_good.end();
        g.candidates.push_back({std::string(model::name_of(each.form)), each.formula, each.coefficients,
                                each.exponent, each.exponent_95, each.criterion, each.relative_error,
                                each.residuals, i == fit.chosen, is_as_good});
    }
    return g;
}

// ln(E / g(P)) of a count, from which on g is no function of these numbers: a factor of 1.65.
constexpr double worst_miss = 0.5;

// None: there are too few counts, or no function fits.
std::optional<SignatureCharacteristic> fitted(std::span<model::EventCount const> counts) {
    if (counts.size() < 3)
        return std::nullopt;
    auto const fit = model::fit_characteristic(counts);
    if (!fit)
        return std::nullopt;
    bool const misses =
        std::ranges::any_of(fit->best().residuals, [](double miss) { return std::abs(miss) > worst_miss; });
    return misses ? std::nullopt : std::optional(characteristic_of(*fit));
}

void add_work(SignatureAnswer& answer) {
    auto& recordings = answer.recordings;
    std::vector<model::WorkAndEvents> series;
    for (auto const& recording : recordings)
        series.push_back({static_cast<double>(recording.threads), recording.work_ns,
                          static_cast<double>(recording.events), recording.time_ns});
    auto const& last = recordings.back();
    // Of calls that are joined, the work between them is no cost of theirs.
    if (last.events > 0 && answer.same_event_ns == 0)
        answer.machine_theta_ns = (last.work_ns - last.active_ns) / static_cast<double>(last.events);
    // Where the work itself grows with P, so do the events, and no series tells the two apart.
    bool const is_known = answer.is_scaled && answer.machine_theta_ns;
    auto const added =
        is_known ? model::added_work(series, *answer.machine_theta_ns) : model::added_work(series);
    if (!added)
        return;
    answer.theta_ns = added->theta_ns;
    answer.theta_95 = added->theta_95;
    answer.conserved_ns = added->conserved_ns;
    answer.work_variation = added->variation;
    answer.work_stays_constant = added->stays_constant;
    for (std::size_t i = 0; i < recordings.size() && i < added->runs.size(); ++i) {
        recordings[i].event_cost_ns = added->runs[i].communication_ns;
        recordings[i].algorithmic_work_ns = added->runs[i].algorithmic_ns;
        recordings[i].event_interval_ns = added->runs[i].event_interval_ns;
    }
}

// `linear_slope`: of a linear g; of others 0.
SignatureOutlook outlook_of(model::Characteristic const& g, double linear_slope, double alpha,
                            model::Execution execution) {
    SignatureOutlook outlook;
    outlook.sentence = model::outlook(g, execution).sentence;
    auto const found = model::optimum(g, alpha, execution);
    if (!found) {
        // A line that is below 0 where nobody counted still has its limit.
        if (linear_slope > 0 && execution == model::Execution::fixed_size)
            outlook.limit = alpha / linear_slope;
        else
            outlook.refusal = found.error().message;
        return outlook;
    }
    outlook.limit = found->limit;
    outlook.least_b = found->signature.least;
    if (auto const& flat = found->signature.flat)
        outlook.flat = SignatureRange{flat->from, flat->to};
    if (auto const& maximum = found->maximum) {
        outlook.p_smax = maximum->threads;
        outlook.s_max = maximum->speed_up;
        outlook.best_p = static_cast<double>(maximum->whole_threads);
        outlook.inflection = maximum->inflection;
    }
    return outlook;
}

// The theta that the theorem takes: that of the series where it is surely above 0, else that of the machine.
std::optional<double> usable_theta(SignatureAnswer const& answer) {
    bool const is_noise = answer.theta_95 && answer.theta_95->low <= 0;
    if (answer.theta_ns && *answer.theta_ns > 0 && !is_noise)
        return answer.theta_ns;
    bool const has_costs = answer.machine_theta_ns && *answer.machine_theta_ns > 0;
    return has_costs ? answer.machine_theta_ns : std::nullopt;
}

void add_outlook(SignatureAnswer& answer, SeriesQuestion const& question) {
    if (!answer.g)
        return;
    auto const g = model::Characteristic::parse(answer.g->formula);
    if (!g)
        return;
    for (auto& recording : answer.recordings)
        recording.fitted_events = (*g)(static_cast<double>(recording.threads));
    auto const theta = usable_theta(answer);
    if (!theta)
        return;
    auto const& first = answer.recordings.front();
    auto const work = answer.is_scaled        ? first.active_ns / static_cast<double>(first.threads)
                      : answer.has_one_thread ? first.work_ns
                                              : answer.conserved_ns;
    if (work <= 0)
        return;
    answer.alpha = work / *theta;
    auto const chosen = std::ranges::find(answer.g->candidates, true, &SignatureCandidate::is_chosen);
    auto const slope = chosen->name == "linear" ? chosen->coefficients.back() : 0;
    auto const execution = answer.is_scaled ? model::Execution::scaled : model::Execution::fixed_size;
    if (!answer.is_scaled)
        answer.outlook = outlook_of(*g, slope, *answer.alpha, model::Execution::fixed_size);
    if (question.scaled || answer.is_scaled)
        answer.scaled = outlook_of(*g, slope, *answer.alpha, model::Execution::scaled);
    for (auto& recording : answer.recordings) {
        auto const threads = static_cast<double>(recording.threads);
        if (auto const at = model::efficiency(*g, *answer.alpha, threads, execution))
            recording.theorem = at->speed_up;
    }
}

void add_other_laws(SignatureAnswer& answer) {
    std::vector<model::MeasuredSpeedUp> points;
    for (auto const& recording : answer.recordings)
        if (recording.speed_up)
            points.push_back({static_cast<double>(recording.threads), *recording.speed_up});
    if (points.size() < 2)
        return;
    auto const laws = model::other_laws(points);
    if (!laws)
        return;
    OtherLaws other{laws->amdahl.serial, laws->gustafson.serial, {}, {}, {}};
    if (laws->universal) {
        other.contention = laws->universal->contention;
        other.coherency = laws->universal->coherency;
        other.peak = laws->universal->peak;
    }
    answer.other_laws = other;
    for (auto& recording : answer.recordings) {
        auto const threads = static_cast<double>(recording.threads);
        recording.amdahl = model::amdahl_speed_up(other.amdahl_serial, threads);
        recording.gustafson = model::gustafson_speed_up(other.gustafson_serial, threads);
        if (laws->universal)
            recording.universal = model::universal_speed_up(*laws->universal, threads);
    }
}

void add_busiest(SignatureAnswer& answer) {
    std::vector<model::EventCount> counts;
    BusiestCharacteristic busiest;
    for (auto const& recording : answer.recordings) {
        auto const most = std::ranges::max_element(recording.rows, {}, &ThreadSignature::events);
        if (most == recording.rows.end())
            return;
        counts.push_back({static_cast<double>(recording.threads), static_cast<double>(most->events)});
        busiest.name = most->name;
        auto const mean = recording.means.events.mean;
        busiest.most_over_mean = mean > 0 ? static_cast<double>(most->events) / mean : 1;
    }
    auto g = fitted(counts);
    if (!g)
        return;
    busiest.g = std::move(*g);
    busiest.threads_differ = busiest.most_over_mean > differing_threads;
    answer.busiest = std::move(busiest);
}

// One place in the programs of all recordings, whose ids differ.
using PlaceKey = std::tuple<std::string, std::string, std::string, std::string, std::uint32_t>;

PlaceKey key_of(SignaturePlace const& place) {
    return {place.object, place.call, place.function, place.file, place.line};
}

// Counts above 0 of a place or an object.
std::optional<SignatureCharacteristic> fitted_growth(SignatureAnswer const& answer,
                                                     std::vector<double> const& events) {
    std::vector<model::EventCount> counts;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i] > 0)
            counts.push_back({static_cast<double>(answer.recordings[i].threads), events[i]});
    return fitted(counts);
}

// REQUIRES: causes with most growth first.
void add_objects(SignatureAnswer& answer) {
    std::vector<std::vector<double>> events;
    for (auto const& cause : answer.causes) {
        if (cause.place.object.empty())
            continue;
        auto const known = std::ranges::find(answer.objects, cause.place.object, &SignatureObject::object);
        auto const at = static_cast<std::size_t>(known - answer.objects.begin());
        if (known == answer.objects.end()) {
            answer.objects.push_back({cause.place.object, cause.place, 0, 0, {}});
            events.emplace_back(cause.events.size(), 0.0);
        }
        auto& object = answer.objects[at];
        ++object.places;
        object.growth_share += cause.growth_share;
        for (std::size_t i = 0; i < cause.events.size(); ++i)
            events[at][i] += cause.events[i];
    }
    for (std::size_t at = 0; at < answer.objects.size(); ++at)
        if (auto const g = fitted_growth(answer, events[at]))
            answer.objects[at].exponent = g->exponent;
    std::ranges::stable_sort(answer.objects, std::ranges::greater{}, &SignatureObject::growth_share);
}

void add_causes(SignatureAnswer& answer) {
    auto const& recordings = answer.recordings;
    auto const all = static_cast<double>(recordings.back().events - recordings.front().events);
    if (recordings.size() < 2 || all <= 0)
        return;
    std::map<PlaceKey, SignatureCause> causes;
    for (std::size_t i = 0; i < recordings.size(); ++i)
        for (auto const& place : recordings[i].places) {
            auto& cause = causes[key_of(place)];
            cause.place = place;
            cause.events.resize(recordings.size(), 0);
            cause.events[i] += static_cast<double>(place.events);
        }
    for (auto& [key, cause] : causes) {
        cause.place.events = static_cast<std::int64_t>(cause.events.back());
        cause.growth_share = (cause.events.back() - cause.events.front()) / all;
        if (cause.growth_share > 0)
            answer.causes.push_back(std::move(cause));
    }
    std::ranges::stable_sort(answer.causes, std::ranges::greater{}, &SignatureCause::growth_share);
    add_objects(answer);
    answer.causes.resize(std::min(answer.causes.size(), most_causes));
    for (auto& cause : answer.causes) {
        if (auto const g = fitted_growth(answer, cause.events)) {
            cause.exponent = g->exponent;
            cause.formula = g->formula;
        }
    }
}

void add_notes(SignatureAnswer& answer, SeriesQuestion const& question) {
    for (auto const& recording : answer.recordings) {
        if (recording.is_cut_short)
            answer.notes.push_back(recording.file +
                                   " is of the beginning of a run only: its counts are too small");
        for (auto const& note : recording.notes)
            if (std::ranges::find(answer.notes, note) == answer.notes.end())
                answer.notes.push_back(note);
    }
    if (answer.same_event_ns > 0)
        answer.notes.emplace_back(
            "the work between calls that --same-event joins counts as theirs: eta and the mean number of "
            "active "
            "threads are lower than without it, and the cost of an event is withheld");
    auto const counts = answer.recordings.size();
    if (counts < 3)
        answer.notes.push_back(
            "no characteristic function: " +
            counted(static_cast<std::int64_t>(counts), "number of threads", "numbers of threads") +
            ", and it takes three. Record more: parcast scale --cpus 1,2,4,8 --keep runs "
            "-- PROGRAM {cpus}");
    else if (counts < 4)
        answer.notes.emplace_back(
            "with fewer than four numbers of threads the characteristic function is little more than a "
            "guess");
    if (counts >= 3 && !answer.g)
        answer.notes.emplace_back("no characteristic function: none fits these numbers of events");
    bool const names_differ = std::ranges::all_of(answer.recordings, [](RecordingSignature const& recording) {
        auto const named = number_in_name(recording.file);
        return named && *named + 1 == recording.threads;
    });
    if (names_differ && !question.threads_from_names)
        answer.notes.emplace_back(
            "the initial thread works, too, so that P is one more than in the files' "
            "names: --threads-from name takes P from there");
    if (!answer.has_one_thread && !answer.is_scaled)
        answer.notes.emplace_back(
            "no recording of one thread: speed-ups are mean numbers of active threads, which they are if no "
            "work is added");
}

}  // namespace

Result<SignatureAnswer> signature_of_series(std::vector<RecordingSignature> recordings,
                                            SeriesQuestion const& question) {
    for (auto& recording : recordings) {
        if (!question.threads_from_names)
            continue;
        auto const threads = number_in_name(recording.file);
        if (!threads)
            return pass_on(threads);
        recording.threads = *threads;
    }
    if (auto const checked = check_programs(recordings); !checked)
        return pass_on(checked);
    std::ranges::stable_sort(recordings, {}, &RecordingSignature::threads);
    if (auto const checked = check_counts(recordings); !checked)
        return pass_on(checked);
    SignatureAnswer answer;
    answer.same_event_ns = static_cast<double>(question.same_event.ns);
    answer.recordings = std::move(recordings);
    for (auto& recording : answer.recordings) {
        add_means(recording);
        add_profile_means(recording);
    }
    find_scaling(answer);
    add_speed_ups(answer, question);
    answer.g = fitted(event_counts(answer.recordings));
    add_work(answer);
    add_outlook(answer, question);
    add_other_laws(answer);
    add_busiest(answer);
    add_causes(answer);
    add_notes(answer, question);
    return answer;
}

void compare_with(SignatureAnswer& answer, SignatureAnswer const& other, std::string const& folder) {
    if (!answer.g || !other.g)
        return;
    auto const mine = model::Characteristic::parse(answer.g->formula);
    auto const theirs = model::Characteristic::parse(other.g->formula);
    if (!mine || !theirs)
        return;
    constexpr std::uint64_t beyond = 64;  // times the largest P that was seen
    auto const most = std::max(answer.recordings.back().threads, other.recordings.back().threads);
    auto const ranges = [&](model::Characteristic const& first, model::Characteristic const& second) {
        std::vector<SignatureRange> found;
        for (auto const& range : model::fewer_events(first, second, 1, beyond * most))
            found.push_back({range.from, range.to});
        return found;
    };
    answer.comparison = {folder, other.g->formula, other.g->word, ranges(*mine, *theirs),
                         ranges(*theirs, *mine)};
}

}  // namespace parcast::study
