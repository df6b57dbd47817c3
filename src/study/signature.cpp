#include "study/signature.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "answer/signature_numbers.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time.h"
#include "core/time_text.h"
#include "model/events_threads/characteristic.h"
#include "model/events_threads/characteristic_fit.h"
#include "model/events_threads/dynamic_formulas.h"
#include "model/events_threads/work_growth.h"
#include "study/signature_causes.h"
#include "study/signature_series.h"
#include "study/signature_threads.h"
#include "study/signature_work.h"

namespace parcast::study {

namespace {

// Does each thread bring work of its own?
void find_scaling(SignatureAnswer& answer) {
    answer.has_one_thread = answer.recordings.front().threads == 1;
    std::vector<model::WorkAndEvents> active;
    for (auto const& recording : answer.recordings)
        active.push_back({static_cast<double>(recording.threads), recording.active_ns,
                          static_cast<double>(recording.events), recording.time_ns});
    auto const growth = model::work_growth(active);
    answer.work_exponent = growth.exponent;
    answer.is_scaled = growth.cause == model::GrowthOfWork::threads;
    answer.is_growth_unclear = growth.cause == model::GrowthOfWork::unclear;
}

// S = a / b: W(1) / T(P), with a run of one thread T(1) / T(P). Of a scaled series W(1) grows with P, so that
// the active work stands for P W(1). REQUIRES: add_work.
void add_speed_ups(SignatureAnswer& answer, SeriesQuestion const& question) {
    auto& recordings = answer.recordings;
    for (auto& recording : recordings)
        for (auto const& measured : question.measured)
            if (measured.threads == recording.threads)
                recording.measured = measured.speed_up;
    answer.work_of_one = work_of_one(answer);
    auto const one_thread_ns = time_of_one_thread(answer);
    if (!answer.is_scaled && (!answer.work_of_one || one_thread_ns <= 0))
        return;
    for (auto& recording : recordings) {
        if (recording.time_ns <= 0 || recording.active_ns <= 0)
            continue;
        auto const work = answer.is_scaled ? recording.active_ns : answer.work_of_one->ns;
        auto const parts = model::speed_up_parts(static_cast<double>(recording.threads), recording.nu,
                                                 recording.work_ns, work);
        if (answer.is_number_of_threads) {
            recording.a = parts.a;
            recording.b = parts.b;
        }
        recording.speed_up = answer.is_scaled ? recording.nu_active : one_thread_ns / recording.time_ns;
    }
}

std::string threads_at_work(SignatureAnswer const& answer) {
    std::string text;
    for (auto const& recording : answer.recordings)
        text += (text.empty() ? "" : ", ") +
                std::to_string(std::ranges::count(recording.rows, true, &ThreadSignature::is_counted));
    return text;
}

void add_note_about_initial_thread(SignatureAnswer& answer) {
    bool const has_initial = std::ranges::any_of(answer.recordings, [](RecordingSignature const& each) {
        return !each.rows.empty() && !each.rows.front().is_counted &&
               each.rows.front().active_ns * 100 * each.threads >= each.active_ns;
    });
    if (has_initial)
        answer.notes.emplace_back(
            "the initial thread works, too, and is none of the P threads: its work and its events are in the "
            "sums, and in no mean over threads");
}

void add_notes_about_threads(SignatureAnswer& answer, SeriesQuestion const& question) {
    if (!question.threads_from_names) {
        bool const is_one_more = std::ranges::all_of(answer.recordings, [](RecordingSignature const& each) {
            auto const named = number_in_name(each.file);
            return named && *named + 1 == each.threads;
        });
        if (is_one_more)
            answer.notes.emplace_back(
                "the initial thread works, too, so that P is one more than in the files' names: "
                "--threads-from name takes P from there");
        add_note_about_initial_thread(answer);
        return;
    }
    if (!answer.is_number_of_threads) {
        answer.notes.push_back("P is the number in the files' names, and " + threads_at_work(answer) +
                               " threads work: means over threads are of these; a, b, the bound (3.39), the "
                               "theorem and the other "
                               "laws take P for the number of threads, and are left out");
        return;
    }
    add_note_about_initial_thread(answer);
}

// Others than the number of threads differ between the recordings.
bool has_unknown_arguments(SignatureAnswer const& answer) {
    return std::ranges::find(answer.command, "...") != answer.command.end();
}

// E = g(P) is of one computation: other arguments change the events as well.
void add_note_about_arguments(SignatureAnswer& answer) {
    if (!has_unknown_arguments(answer))
        return;
    std::string command;
    for (auto const& word : answer.command)
        command += (command.empty() ? "" : " ") + word;
    answer.notes.push_back(
        "the recordings differ in other arguments than the number of threads (\"...\" in " + command +
        "): what grows with P may come from these");
}

// The bound takes it that no work is lost.
void add_note_about_bound(SignatureAnswer& answer) {
    constexpr double notable = 0.02;
    auto const over_bound = [](RecordingSignature const& each) {
        bool const has_both = each.threads > 1 && each.speed_up && each.speed_up_bound;
        return has_both && *each.speed_up_bound > 0 ? *each.speed_up / *each.speed_up_bound : 0;
    };
    auto const above = std::ranges::max_element(answer.recordings, {}, over_bound);
    if (answer.is_scaled || over_bound(*above) <= 1 + notable)
        return;
    auto const text_of = [](double ns) { return time_text(Duration{whole_ns(ns)}); };
    answer.notes.push_back(
        "some speed-ups are above their bound P eta (3.39): with P = " + std::to_string(above->threads) +
        " the threads are active for " + text_of(above->active_ns) + " in all, less than the " +
        text_of(time_of_one_thread(answer)) +
        (answer.has_one_thread ? " that P = 1 takes" : " of W(1), " + answer.work_of_one->meaning));
}

void add_note_about_work_of_one(SignatureAnswer& answer) {
    if (answer.has_one_thread || answer.is_scaled)
        return;
    auto const& first = answer.recordings.front();
    if (answer.work_of_one)
        answer.notes.push_back(
            "no recording of one thread: speed-ups are W(1)/T(P), where W(1) is " +
            answer.work_of_one->meaning +
            (has_unknown_arguments(answer)
                 ? ". Record the program with one thread, too, and with the arguments that "
                   "belong to that number"
                 : ""));
    else if (answer.is_growth_unclear)
        answer.notes.emplace_back(
            "no recording of one thread, and how its work W(1) would come out depends on why the work grows: "
            "speed-ups, alpha and the theorem are left out");
    else if (answer.theta && answer.conserved_meaning.empty())
        answer.notes.push_back(
            "no recording of one thread, and the others do not say what its work W(1) is: with P = " +
            std::to_string(first.threads) + " events are already " +
            percent_text(
                std::min(1.0, answer.theta->ns * static_cast<double>(first.events) / first.work_ns)) +
            " of the work, and where the line of the series meets none is not known within a fifth. "
            "Speed-ups, alpha and the theorem are left out");
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
    add_notes_about_threads(answer, question);
    add_note_about_arguments(answer);
    if (answer.same_event_ns == 0)
        add_note_about_bound(answer);
    add_note_about_work_of_one(answer);
}

}  // namespace

Result<SignatureAnswer> signature_of_series(Recordings recordings, SeriesQuestion const& question) {
    if (!question.threads_from_names)
        take_initial_thread_out_of_threads(recordings);
    else if (auto const taken = take_threads_from_names(recordings); !taken)
        return pass_on(taken);
    if (auto const checked = check_programs(recordings); !checked)
        return pass_on(checked);
    std::ranges::stable_sort(recordings, {}, &RecordingSignature::threads);
    if (auto const checked = check_counts(recordings); !checked)
        return pass_on(checked);
    SignatureAnswer answer;
    answer.same_event_ns = static_cast<double>(question.same_event.ns);
    answer.recordings = std::move(recordings);
    answer.command = command_of_series(answer.recordings);
    if (question.threads_from_names)
        answer.is_number_of_threads = choose_threads_of_control(answer.recordings);
    answer.initial = leave_initial_thread_out(answer.recordings);
    for (auto& recording : answer.recordings)
        add_means(recording, answer.is_number_of_threads);
    find_scaling(answer);
    add_characteristic(answer);
    add_work(answer);
    add_speed_ups(answer, question);
    add_outlook(answer, question.scaled);
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
    constexpr std::uint32_t beyond = 64;  // times the largest P that was seen
    auto const mine_to = answer.recordings.back().threads;
    auto const theirs_to = other.recordings.back().threads;
    auto const last = beyond * std::max(mine_to, theirs_to);
    auto const ranges = [&](model::Characteristic const& first, model::Characteristic const& second) {
        std::vector<SignatureRange> found;
        for (auto const& range : model::fewer_events(first, second, 1, last)) {
            bool const is_open = range.to && *range.to >= last;
            found.push_back({range.from, is_open ? std::nullopt : range.to});
        }
        return found;
    };
    answer.comparison = SignatureComparison{.folder = folder,
                                            .program = program_of(other.recordings.back()),
                                            .counted_up_to = std::min(mine_to, theirs_to),
                                            .looked_up_to = last,
                                            .formula = other.g->formula,
                                            .word = other.g->word,
                                            .fewer = ranges(*mine, *theirs),
                                            .more = ranges(*theirs, *mine)};
}

}  // namespace parcast::study
