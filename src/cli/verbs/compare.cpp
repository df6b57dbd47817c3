// parcast compare A B: two recordings, a recording and a change of it, or one recording on two machines: by
// how much they differ on each number of CPUs, and where the difference comes from.

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/difference.h"
#include "answer/run_sentences.h"
#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/options/target_machine.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/measured_side.h"
#include "cli/verbs/signature.h"
#include "cli/version.h"
#include "core/bytes_text.h"
#include "forecast/recording.h"
#include "pages/difference_page.h"
#include "pages/measured_execution.h"
#include "pages/page_content.h"
#include "pages/report_elements.h"
#include "report/difference.h"
#include "trace/scheduled/perf_sched.h"

namespace parcast::cli {

namespace {

struct CompareArguments {
    PredictArguments replay;
    std::vector<std::string> files;
    SeveralMachines machines;
    std::vector<Scenario> what_if;
    std::optional<std::string> page;  // a file
    bool force = false;
    bool all = false;
    bool json = false;

    friend bool operator==(CompareArguments const&, CompareArguments const&) = default;
};

constexpr char const* what_is_compared =
    "Two recordings: parcast compare A B. A change: --what-if CHANGE. Two machines: --machine A.toml "
    "--machine B.toml. Two schedulers: --scheduler linux --scheduler ideal.";

// A side, and what its page is made of, if one is wanted.
struct LoadedSide {
    analysis::SideAnswers answers;
    std::optional<forecast::Forecast> forecast = std::nullopt;
    std::optional<pages::MeasuredExecution> measured = std::nullopt;
};

// What is asked about one side.
struct SideQuestion {
    std::string file;  // a recording, or a folder with one for each number of CPUs
    PredictArguments replay;
};

enum class SidesOf : std::uint8_t { files, machines, changes, folder, measurements };

struct Sides {
    SidesOf of = SidesOf::files;
    std::vector<SideQuestion> questions;  // of changes and measurements, one: the program as it is
    std::vector<std::string> measured;    // files of perf
};

// The machine of side i: of several each side has its own.
template <class Value>
std::optional<Value> value_of_side(std::vector<Value> const& values, std::size_t i) {
    if (values.empty())
        return std::nullopt;
    return values[std::min(i, values.size() - 1)];
}

SideQuestion side_question(CompareArguments const& arguments, std::string const& file, std::size_t i) {
    SideQuestion side{file, arguments.replay};
    side.replay.file = file;
    side.replay.machine_file = value_of_side(arguments.machines.files, i);
    side.replay.scheduler = value_of_side(arguments.machines.schedulers, i);
    side.replay.question.ranges.is_asked = true;
    side.replay.question.what_to_change = true;
    if (arguments.page) {
        side.replay.question.detail = RunDetail::operations;
        side.replay.question.most_intervals = pages::most_intervals_of_report(Form::recording);
    }
    return side;
}

Error unasked(std::string const& message) {
    return make_error(ErrorCode::unasked, message, what_is_compared);
}

std::string first_lines_of(std::string const& file) {
    constexpr std::size_t first_bytes = 65'536;
    auto const input = InputFile::open(file);
    if (!input)
        return {};
    auto const head = input->head(first_bytes);
    return {reinterpret_cast<char const*>(head.data()), head.size()};
}

bool is_perf_sched(std::string const& file) {
    return trace::is_perf_sched_text(first_lines_of(file));
}

// What `scale --json` printed compares its own recordings with what it measured.
Result<void> reject_answer_of_scale(std::vector<std::string> const& files) {
    constexpr std::size_t first_field = 100;  // bytes
    for (auto const& file : files)
        if (first_lines_of(file).substr(0, first_field).find("\"parcast.scale/") != std::string::npos)
            return fail(
                make_error(ErrorCode::unasked, file + " compares predictions with measurements already",
                           "That is what parcast scale --measure prints without --json, with what explains "
                           "the error. In a page beside the prediction of a recording: parcast report "
                           "RECORDING --measured " +
                               file));
    return {};
}

// How many sides, and what tells them apart.
Result<Sides> sides_of(CompareArguments const& arguments) {
    Sides sides;
    auto files = arguments.files;
    auto const machines = std::max(arguments.machines.files.size(), arguments.machines.schedulers.size());
    if (files.size() == 1 && is_folder(files.front()) && machines < 2 && arguments.what_if.empty()) {
        auto found = recordings_in(files.front());
        if (!found)
            return pass_on(found);
        files = std::move(*found);
        sides.of = SidesOf::folder;
    }
    auto const measured = std::ranges::stable_partition(
        files, [](std::string const& file) { return is_folder(file) || !is_perf_sched(file); });
    sides.measured.assign(measured.begin(), measured.end());
    files.erase(measured.begin(), measured.end());
    if (!sides.measured.empty() && files.size() != 1)
        return fail(unasked(sides.measured.front() +
                            " was measured: it is compared with one recording of the same program"));
    bool const has_changes = !arguments.what_if.empty();
    if (!sides.measured.empty() && (has_changes || machines > 1))
        return fail(unasked("a measurement is compared with the program as it is, on one machine"));
    if (has_changes && (files.size() != 1 || machines > 1))
        return fail(unasked("--what-if compares one recording with a change of it"));
    if (files.empty() && machines > 1)
        return fail(unasked("machines are compared for a recording"));
    for (auto const count : {arguments.machines.files.size(), arguments.machines.schedulers.size()})
        if (count > 1 && count != std::max(files.size(), machines))
            return fail(unasked("each side needs a machine of its own, or all the same one"));
    auto count = std::max(files.size(), machines);
    if (files.size() == 1 && machines > 1)
        sides.of = SidesOf::machines;
    else if (has_changes)
        sides.of = SidesOf::changes;
    else if (!sides.measured.empty())
        sides.of = SidesOf::measurements;
    else if (count < 2)
        return fail(unasked(files.empty() ? "there is nothing to compare"
                                          : "there is nothing to compare " + files.front() + " with"));
    if (files.size() > 1 && machines > files.size())
        return fail(unasked("there are more machines than recordings"));
    for (std::size_t i = 0; i < count; ++i)
        sides.questions.push_back(side_question(arguments, files[files.size() == 1 ? 0 : i], i));
    return sides;
}

std::string machine_of(Answer const& answer) {
    auto const& machine = answer.recording().machine;
    std::string text = model_word(answer.recording().model) + " model, scheduler " + machine.scheduler;
    return text + (machine.source ? ", machine " + machine.source->file : ", built-in machine");
}

ComparedSide described(std::string const& file, Answer const& answer) {
    ComparedSide side;
    side.file = file;
    if (auto const& recorded = answer.recording().provenance) {
        side.command = recorded->command;
        side.date = recorded->date;
    }
    side.machine = machine_of(answer);
    side.is_doubtful = std::ranges::any_of(
        answer.findings, [](Finding const& finding) { return finding.severity == Severity::warning; });
    side.is_worthless = withholds_conclusions(answer.findings);
    return side;
}

Result<forecast::Forecast> forecast_of(SideQuestion const& side, GivenOptions const& given) {
    auto input = open_input(side.replay, given);
    if (!input)
        return pass_on(input);
    return forecast_input(std::move(*input), side.replay);
}

// Timelines stay with the forecast: a comparison reads none.
LoadedSide loaded(std::string const& file, forecast::Forecast made) {
    LoadedSide side;
    side.answers.side = described(file, made.answer);
    Answer answer = made.answer;
    for (auto& row : answer.rows)
        row.run.timeline.reset();
    side.answers.answers.push_back(std::move(answer));
    side.forecast = std::move(made);
    return side;
}

// "runs/solver.8.parcast": for 8 CPUs.
std::optional<std::uint32_t> count_in_name(std::string const& file) {
    auto const name = file.substr(0, file.size() - std::string_view(".parcast").size());
    auto const count = number(1U, 65'536U)(name.substr(name.rfind('.') + 1));
    return count ? std::optional(*count) : std::nullopt;
}

// Each number of CPUs by the recording that was made for it.
Result<LoadedSide> series_side(SideQuestion const& side, GivenOptions const& given) {
    auto const files = recordings_in(side.file);
    if (!files)
        return pass_on(files);
    analysis::SideAnswers answers;
    for (auto const& file : *files) {
        auto const count = count_in_name(file);
        bool const is_asked =
            count && (!side.replay.cpus || std::ranges::binary_search(*side.replay.cpus, *count));
        if (!is_asked)
            continue;
        auto one = side;
        one.replay.file = file;
        one.replay.cpus = std::vector{*count};
        auto made = forecast_of(one, given);
        if (!made)
            return pass_on(made);
        answers.answers.push_back(std::move(made->answer));
    }
    if (answers.answers.empty())
        return fail(make_error(ErrorCode::not_found,
                               side.file + ": no recording there is named NAME.COUNT.parcast",
                               "parcast scale --keep FOLDER makes such a folder."));
    std::ranges::sort(answers.answers, {}, [](Answer const& answer) { return answer.rows.front().cpus; });
    answers.side = described(side.file, answers.answers.back());
    for (auto const& answer : answers.answers) {
        auto const one = described(side.file, answer);
        answers.side.is_doubtful |= one.is_doubtful;
        answers.side.is_worthless |= one.is_worthless;
    }
    return LoadedSide{std::move(answers)};
}

Result<LoadedSide> recording_side(SideQuestion const& side, GivenOptions const& given) {
    if (is_folder(side.file))
        return series_side(side, given);
    auto made = forecast_of(side, given);
    if (!made)
        return pass_on(made);
    return loaded(side.file, std::move(*made));
}

// The program as it is, and each change of it.
Result<std::vector<LoadedSide>> changed_sides(CompareArguments const& arguments, SideQuestion side,
                                              GivenOptions const& given) {
    side.replay.question.what_if = arguments.what_if;
    auto before = forecast_of(side, given);
    if (!before)
        return pass_on(before);
    auto const target = target_machine(side.replay);
    if (!target)
        return pass_on(target);
    Question question = side.replay.question;
    question.workers = workers(side.replay);
    question.cpus = target->cpus;
    question.what_if.clear();
    std::vector<LoadedSide> sides;
    sides.push_back(loaded(side.file, *before));
    for (std::size_t i = 0; i < arguments.what_if.size(); ++i) {
        auto after = forecast::forecast_changed(*before, arguments.what_if[i], target->machine, question);
        if (!after)
            return pass_on(after);
        auto made = loaded(side.file, std::move(*after));
        made.answers.side.change = arguments.what_if[i].text;
        made.answers.tried_change = i;
        sides.push_back(std::move(made));
    }
    return sides;
}

// The counts that a page predicts beside those that were measured: its curve needs more than one.
Result<std::vector<std::uint32_t>> counts_of_page(SideQuestion const& side,
                                                  std::vector<std::uint32_t> const& measured) {
    auto usual = side;
    usual.replay.cpus.reset();
    auto const target = target_machine(usual.replay);
    if (!target)
        return pass_on(target);
    std::vector<std::uint32_t> all;
    std::ranges::set_union(target->cpus, measured, std::back_inserter(all));
    return all;
}

// The prediction, on as many CPUs as were measured, and the measurements.
Result<std::vector<LoadedSide>> measured_sides(CompareArguments const& arguments, Sides const& asked,
                                               GivenOptions const& given) {
    auto side = asked.questions.front();
    auto input = open_input(side.replay, given);
    if (!input)
        return pass_on(input);
    auto const* const recorded = std::get_if<Timeline>(&input->content);
    if (recorded == nullptr)
        return fail(unasked(side.file + " was written down: a measurement is compared with a recording"));
    if (side.replay.cpus && side.replay.cpus->size() != 1)
        return fail(unasked("a measured run has one number of CPUs: --cpus N"));
    auto const cpus = side.replay.cpus ? std::optional(side.replay.cpus->front()) : std::nullopt;
    std::vector<LoadedSide> measured;
    std::vector<std::uint32_t> counts;
    for (auto const& file : asked.measured) {
        auto made = read_measured_side(file, *recorded, cpus);
        if (!made)
            return pass_on(made);
        counts.push_back(made->run.facts.cpus);
        measured.push_back({std::move(made->answers), std::nullopt, std::move(made->run)});
    }
    std::ranges::sort(counts);
    counts.erase(std::ranges::unique(counts).begin(), counts.end());
    side.replay.cpus = counts;
    if (arguments.page) {
        auto all = counts_of_page(side, counts);
        if (!all)
            return pass_on(all);
        side.replay.cpus = std::move(*all);
    }
    auto predicted = forecast_input(std::move(*input), side.replay);
    if (!predicted)
        return pass_on(predicted);
    std::vector<LoadedSide> sides;
    sides.push_back(loaded(side.file, std::move(*predicted)));
    std::erase_if(sides.front().answers.answers.front().rows,
                  [&](Row const& row) { return !std::ranges::binary_search(counts, row.cpus); });
    std::ranges::move(measured, std::back_inserter(sides));
    return sides;
}

Result<std::vector<LoadedSide>> answers_of(CompareArguments const& arguments, Sides const& asked,
                                           GivenOptions const& given) {
    if (asked.of == SidesOf::changes)
        return changed_sides(arguments, asked.questions.front(), given);
    if (asked.of == SidesOf::measurements)
        return measured_sides(arguments, asked, given);
    std::vector<LoadedSide> sides;
    for (auto question : asked.questions) {
        question.replay.as_on_every_host = true;  // what is compared are programs
        auto side = recording_side(question, given);
        if (!side)
            return pass_on(side);
        sides.push_back(std::move(*side));
    }
    if (asked.of == SidesOf::folder)
        std::ranges::stable_sort(sides, {}, [](LoadedSide const& side) { return side.answers.side.date; });
    return sides;
}

// A, B, ..., Z, A1, B1, ...
void name_sides(std::vector<LoadedSide>& sides) {
    constexpr std::size_t letters = 26;
    for (std::size_t i = 0; i < sides.size(); ++i)
        sides[i].answers.side.letter = std::string(1, static_cast<char>('A' + i % letters)) +
                                       (i < letters ? "" : std::to_string(i / letters));
}

pages::ReportElements elements_of(LoadedSide& side, unsigned at_once) {
    if (side.measured)
        return pages::measured_elements(std::move(*side.measured), version);
    pages::PageContent content{std::move(*side.forecast), {}, {}, true, read_text, version};
    content.schedulers = pages::schedulers_of(content.forecast);
    return pages::report_elements(std::move(content), std::nullopt, at_once);
}

int write_page(CompareArguments const& arguments, ComparedSides const& compared,
               std::vector<LoadedSide>& sides) {
    unsigned const at_once = workers(arguments.replay);
    auto first = elements_of(sides[0], at_once);
    auto second = elements_of(sides[1], at_once);
    auto const document = pages::difference_page(compared, std::move(first), std::move(second), version);
    auto const written =
        write_text(document, *arguments.page, arguments.force ? Existing::replace : Existing::keep);
    if (!written)
        return print_failure(written.error());
    if (*arguments.page == OutputFile::standard_output)
        return exit_success;
    print_note("wrote " + *arguments.page + " (" + bytes_text(document.size()) +
               "): open it in a browser; it needs no network and no parcast");
    return exit_success;
}

// A page has two sides, each of one recording or measurement.
Result<void> check_page(CompareArguments const& arguments, Sides const& asked) {
    if (!arguments.page)
        return {};
    auto const existing = arguments.force ? Existing::replace : Existing::keep;
    auto read = arguments.machines.files;
    read.insert(read.end(), asked.measured.begin(), asked.measured.end());
    for (auto const& question : asked.questions)
        read.push_back(question.file);
    for (auto const& file : read)
        if (auto const checked = check_output(*arguments.page, existing, file); !checked)
            return checked;
    bool const has_folders = std::ranges::any_of(
        asked.questions, [](SideQuestion const& question) { return is_folder(question.file); });
    auto const sides = asked.of == SidesOf::changes ? 1 + arguments.what_if.size()
                                                    : asked.questions.size() + asked.measured.size();
    if (has_folders || sides != 2)
        return fail(
            make_error(ErrorCode::unasked,
                       "a page compares two predictions, each of one recording, or one prediction and "
                       "one measurement",
                       "Without -o the comparison is printed."));
    return {};
}

int compare(CompareArguments const& arguments, GivenOptions const& given) {
    if (auto const checked = reject_answer_of_scale(arguments.files); !checked)
        return print_failure(checked.error());
    for (auto const& file : arguments.files)
        if (!is_perf_sched(file))
            if (auto const checked = given.check_file(file); !checked)
                return print_failure(checked.error());
    auto const asked = sides_of(arguments);
    if (!asked)
        return print_failure(asked.error());
    if (auto const checked = check_page(arguments, *asked); !checked)
        return print_failure(checked.error());
    auto sides = answers_of(arguments, *asked, given);
    if (!sides)
        return print_failure(sides.error());
    name_sides(*sides);
    std::vector<analysis::SideAnswers> answers;
    for (auto const& side : *sides)
        answers.push_back(side.answers);
    auto const compared = analysis::compare_sides(std::move(answers), asked->of == SidesOf::folder
                                                                          ? analysis::Against::the_one_before
                                                                          : analysis::Against::the_first);
    if (arguments.page)
        if (int const status = write_page(arguments, compared, *sides);
            status != exit_success || *arguments.page == OutputFile::standard_output)
            return status;
    int const status =
        print_result(arguments.json ? report::difference_json(compared, version)
                                    : report::difference_text(compared, output_layout(arguments.all)));
    bool const has_counts = std::ranges::all_of(
        compared.differences, [](Difference const& difference) { return !difference.counts.empty(); });
    if (status != exit_success || has_counts)
        return status;
    return print_failure(make_error(ErrorCode::impossible, "a side has no time on any common number of CPUs",
                                    "What each predicts: parcast predict FILE"));
}

void describe_options(OptionTable& options, CompareArguments& arguments) {
    options.inputs("FILE", replayed_forms, arguments.files);
    options.flag("--all", arguments.all, "leave no row and no name out");
    options.flag("--json", arguments.json, "print JSON: docs/formats/compare.schema.json");
    options.list("--what-if CHANGE", arguments.what_if, parse_scenario,
                 "compare FILE with itself after a change, as predict has them: 'lock:NAME/8', "
                 "'function:NAME*0.5'; several: each is a side");
    options
        .option("-o, --output FILE", arguments.page, file_name,
                "also write the two sides, one below the other, as a page: an HTML file")
        .for_output();
    options.flag("--force", arguments.force, "replace an existing page").needs("--output");
    describe_jobs(options, arguments.replay);
    describe_cpus(options, arguments.replay);
    describe_replay_on_several(options, arguments.replay, arguments.machines);
    describe_ranges(options, arguments.replay.question);
}

}  // namespace

Verb const compare_verb{
    .name = "compare",
    .example = "compare old.parcast new.parcast",
    .summary = "how two recordings differ on 1 to 64 CPUs, and why",
    .examples = R"(
  parcast compare before.parcast after.parcast
  parcast compare pigz4.parcast pigz8.parcast --cpus 1,2,4,8
  parcast compare solver.parcast --what-if 'lock:queue/8'
  parcast compare before.parcast after.parcast -o difference.html
  parcast compare solver.parcast --machine laptop.toml --machine epyc.toml
  parcast compare solver.parcast --scheduler linux --scheduler ideal
  parcast compare monday/ tuesday/ wednesday/ --json
  parcast compare solver.parcast measured.perf.txt
  parcast compare solver.parcast measured.perf.txt -o difference.html
)",
    .description = R"(
Compares what is predicted for two recordings, or for one recording before and after a change, or on two
machines: the times on each number of CPUs, their ratio with its range, and where the difference comes
from: own code by function, locks and other objects, threads, CPUs without work. Functions, locks and
threads are aligned by name and place; what is gone, new or renamed is listed.

A folder that `parcast scale --keep` made has a recording for each number of CPUs; two such folders are
compared count by count. The recordings of a single folder are a history: each is compared with the one
before. With three inputs or more, each is compared with the first.

A real run on many CPUs is compared with its prediction: measure it with `perf sched record -- PROGRAM`, and
give what `perf script` prints. With -o, a page shows its lanes below the predicted ones.
)",
    .exit_status =
        "3 an input is missing, unreadable or damaged; 4 the sides have no time in common: a replay "
        "deadlocks; 5 the result could not be written",
    .see_also = "predict advise scale",
    .prepare = prepared<CompareArguments, describe_options, compare>,
};

}  // namespace parcast::cli
