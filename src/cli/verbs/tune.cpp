// parcast tune: which block size, layout, network, schedule or value of a parameter is the fastest?

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/output_file.h"
#include "cli/interruption.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/tuning/kept_results.h"
#include "cli/tuning/shard.h"
#include "cli/tuning/tuned_program.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "core/counted.h"
#include "core/progress_text.h"
#include "pages/report_elements.h"
#include "report/chart/tuning_chart.h"
#include "report/tuning.h"
#include "search/search.h"

namespace parcast::cli {

namespace {

struct TuneArguments {
    TunedQuestion question;
    search::Strategy strategy = search::Strategy::grid;
    std::optional<std::string> plot;
    std::optional<std::string> page;
    bool force = false;                  // replace an existing page
    std::optional<std::string> results;  // a folder
    std::optional<Shard> shard;
    bool assumptions = false;
    bool json = false;

    friend bool operator==(TuneArguments const&, TuneArguments const&) = default;
};

// Evaluates points on several CPUs, takes what is kept already, and keeps what is new.
class Evaluator {
public:
    Evaluator(TunedProgram const& program, unsigned workers, std::optional<KeptResults> const& kept,
              Shard const& shard)
        : program_(program), workers_(workers), kept_(kept), shard_(shard) {}

    Result<search::Evaluations> operator()(std::vector<std::uint64_t> const& points) {
        search::Evaluations found(points.size());
        std::vector<std::uint64_t> ours;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (auto const taken = take(points[i], found[i]); !taken)
                return pass_on(taken);
            if (!found[i] && (!kept_ || shard_.has(points[i])))
                ours.push_back(points[i]);
        }
        auto const evaluated = evaluate(ours);
        if (!evaluated)
            return pass_on(evaluated);
        for (std::size_t i = 0; i < points.size(); ++i) {
            auto const own = std::ranges::find(*evaluated, points[i], &TuningPoint::number);
            if (own != evaluated->end())
                found[i] = own->evaluation;
            else if (!found[i])  // others may have ended meanwhile
                if (auto const taken = take(points[i], found[i]); !taken)
                    return pass_on(taken);
        }
        return found;
    }

private:
    Result<void> take(std::uint64_t point, std::optional<Evaluation>& found) const {
        if (!kept_)
            return {};
        auto const question = program_.question_at(point);
        if (!question)
            return pass_on(question);
        found = kept_->find(*question);
        return {};
    }

    Result<std::vector<TuningPoint>> evaluate_piece(std::vector<std::uint64_t> const& piece) const {
        auto evaluations = program_.evaluate(piece);
        if (!evaluations)
            return pass_on(evaluations);
        std::vector<TuningPoint> points;
        for (std::size_t i = 0; i < piece.size(); ++i) {
            points.push_back({piece[i], std::move((*evaluations)[i])});
            if (!kept_)
                continue;
            auto const question = program_.question_at(piece[i]);
            auto const written =
                question ? kept_->keep(*question, points.back().evaluation) : Result<void>(pass_on(question));
            if (!written)
                return pass_on(written);
        }
        return points;
    }

    // In the order of the points, whatever the number of workers; the error is that of the first with one.
    Result<std::vector<TuningPoint>> evaluate(std::vector<std::uint64_t> const& points) {
        auto const pieces = program_.pieces_of(points);
        // None: a signal came before.
        std::vector<std::optional<Result<std::vector<TuningPoint>>>> results(pieces.size());
        std::atomic<std::size_t> begun{0};
        std::atomic<bool> has_failed{false};
        auto const work = [&](bool says_so) {
            for (auto i = begun++; i < pieces.size() && !has_failed && !Interruption::has_come();
                 i = begun++) {
                if (says_so)
                    progress_.say(progress_text("evaluating", {i + 1, pieces.size()}));
                results[i] = evaluate_piece(pieces[i]);
                if (!*results[i])
                    has_failed = true;
            }
        };
        {
            std::vector<std::jthread> others;
            for (std::size_t i = 1; i < std::min<std::size_t>(workers_, pieces.size()); ++i)
                others.emplace_back(work, false);
            work(true);
        }
        progress_.clear();
        std::vector<TuningPoint> evaluated;
        for (auto& result : results) {
            if (!result)
                continue;
            if (!*result)
                return pass_on(*result);
            std::ranges::move(**result, std::back_inserter(evaluated));
        }
        return evaluated;
    }

    TunedProgram const& program_;
    unsigned workers_;
    std::optional<KeptResults> const& kept_;
    Shard shard_;
    Progress progress_;
};

Tuning answer_of(TunedProgram const& program, TuneArguments const& arguments,
                 std::vector<TuningPoint> points) {
    Tuning tuning;
    tuning.subject = program.subject();
    tuning.form = name_of(program.form()).key;
    tuning.has_time_unit = program.form() != Form::model;
    tuning.fixed = program.fixed();
    tuning.network = program.network_text();
    tuning.grid = program.grid();
    tuning.is_coarse = arguments.strategy == search::Strategy::coarse;
    tuning.methods = program.methods();
    tuning.findings = search::findings(tuning.grid, points);
    for (auto const& point : points)
        for (auto const& sentence : point.evaluation.assumptions)
            if (std::ranges::find(tuning.assumptions, sentence) == tuning.assumptions.end())
                tuning.assumptions.push_back(sentence);
    tuning.next_command = program.command_for(points[tuning.findings.best.front()].number);
    tuning.points = std::move(points);
    return tuning;
}

// What this process evaluated is kept; others have not ended.
int print_missing(search::Searched const& searched, TunedProgram const& program, Shard const& shard,
                  TuneArguments const& arguments) {
    print_note(counted(static_cast<std::int64_t>(searched.missing), "point") + " of " +
               std::to_string(program.grid().size()) + " not there yet in " + *arguments.results +
               ": other processes evaluate them (" + shard.source + ": this is part " +
               std::to_string(shard.index + 1) + " of " + std::to_string(shard.count) + ")");
    print_note(
        "run the same command again when they have ended; with --shard 1/1 it evaluates what is missing");
    return exit_success;
}

// What was found until a signal came; no file is written.
int print_interrupted(search::Searched searched, TunedProgram const& program,
                      TuneArguments const& arguments) {
    if (searched.points.empty())
        return Interruption::print_failure_or_interruption({});
    print_warning("interrupted: " + std::to_string(searched.points.size()) + " of " +
                      counted(static_cast<std::int64_t>(program.grid().size()), "point") + " were evaluated",
                  arguments.results ? "The same command goes on from there."
                                    : "With --results FOLDER the same command would go on from there.");
    auto answer = answer_of(program, arguments, std::move(searched.points));
    answer.is_interrupted = true;
    int const status =
        print_result(arguments.json ? report::tuning_json(answer, version)
                                    : report::tuning_text(answer, output_layout(arguments.assumptions)));
    return status == exit_success ? Interruption::status_or(status) : status;
}

struct Drawn {
    std::string option;
    std::string path;
    Existing existing;
    std::string (*draw)(Tuning const& tuning);
};

std::string page_of_this_version(Tuning const& tuning) {
    return pages::tuning_page(tuning, version);
}

// What is written beside what is printed.
std::vector<Drawn> drawn_files(TuneArguments const& arguments) {
    std::vector<Drawn> files;
    auto const existing = arguments.force ? Existing::replace : Existing::keep;
    if (arguments.plot)
        files.push_back({"--plot", *arguments.plot, existing, report::tuning_chart_svg});
    if (arguments.page)
        files.push_back({"-o", *arguments.page, existing, page_of_this_version});
    return files;
}

// Before the search. Errors: not_written, unasked.
Result<void> check_files(TuneArguments const& arguments, TunedProgram const& program) {
    if (arguments.plot && !program.grid().curve_axis())
        return fail(make_error(ErrorCode::unasked,
                               "--plot draws the time against numbers: name some with --sweep, such as "
                               "--sweep block=10,20,40",
                               "Examples: parcast help tune"));
    if (arguments.plot && arguments.plot == arguments.page)
        return fail(make_error(ErrorCode::unasked, "--plot and -o name the same file",
                               "Name another file with --plot."));
    for (auto const& file : drawn_files(arguments)) {
        auto const another = "Name another file with " + file.option + ".";
        if (auto const checked = check_output(file.path, file.existing, program.subject()); !checked)
            return fail(
                with_advice(checked.error(),
                            file.existing == Existing::replace
                                ? another
                                : "Replace it with --force, or name another file with " + file.option + "."));
    }
    return {};
}

// Whether one of them went to standard output, which then has nothing else; else an exit status.
std::optional<int> write_files(Tuning const& tuning, TuneArguments const& arguments) {
    bool is_printed = false;
    for (auto const& file : drawn_files(arguments)) {
        if (auto const written = write_text(file.draw(tuning), file.path, file.existing); !written)
            return print_failure(written.error());
        is_printed |= file.path == OutputFile::standard_output;
        if (file.path != OutputFile::standard_output)
            print_note("wrote " + file.path);
    }
    return is_printed ? std::optional(exit_success) : std::nullopt;
}

int tune(TuneArguments const& arguments, GivenOptions const& given) {
    auto const program = TunedProgram::open(arguments.question, given);
    if (!program)
        return print_failure(program.error());
    if (auto const checked = check_files(arguments, *program); !checked)
        return print_failure(checked.error());
    std::optional<KeptResults> kept;
    if (arguments.results) {
        auto opened = KeptResults::open(*arguments.results);
        if (!opened)
            return print_failure(opened.error());
        kept = std::move(*opened);
    }
    auto const shard = arguments.shard ? *arguments.shard : shard_of_environment().value_or(Shard());
    Interruption const interruption;
    Evaluator evaluator(*program, workers(arguments.question.predict), kept, shard);
    auto searched = search::search(program->grid(), arguments.strategy, std::ref(evaluator));
    if (!searched)
        return interruption.print_failure_or_interruption(searched.error());
    if (interruption.has_come())
        return print_interrupted(std::move(*searched), *program, arguments);
    if (searched->missing > 0)
        return print_missing(*searched, *program, shard, arguments);
    auto const answer = answer_of(*program, arguments, std::move(searched->points));
    if (auto const ended = write_files(answer, arguments))
        return *ended;
    return print_result(arguments.json ? report::tuning_json(answer, version)
                                       : report::tuning_text(answer, output_layout(arguments.assumptions)));
}

void describe_options(OptionTable& options, TuneArguments& arguments) {
    options.input("SUBJECT", tuned_forms, arguments.question.predict.file);
    options.list(
        "--sweep NAME=VALUES", arguments.question.sweeps, any_text,
        "search these values of an option below, or of a parameter of the model or graph: "
        "block=10,20,40 or layout=row-cyclic,diagonal or n=1..64. Several sweeps: every combination");
    options.option(
        "--search NAME", arguments.strategy,
        one_of<search::Strategy>({{"grid", search::Strategy::grid}, {"coarse", search::Strategy::coarse}}),
        "grid (default): every point; coarse: some values of each, then all around the best three; "
        "it says what it did not look at");
    options
        .option("-o, --output FILE", arguments.page, file_name,
                "write a page with the curves and the table: one HTML file to look at and to pass on")
        .for_output();
    options.flag("--force", arguments.force, "replace existing files");
    options.option("--plot FILE", arguments.plot, any_text, "draw the curves, as SVG").for_output();
    describe_jobs(options, arguments.question.predict);
    options.flag("--assumptions", arguments.assumptions,
                 "print in full what the times assume, and every point of many");
    options.flag("--json", arguments.json, "print JSON: docs/formats/tune.schema.json");
    options.section({Form::task_graph, Form::steps});
    options
        .option("--results FOLDER", arguments.results, file_name,
                "keep each evaluation as a file there, and take those that are there. Several processes, "
                "also on several machines, may share the folder")
        .typed_only();
    options
        .option("--shard I/N", arguments.shard, parse_shard,
                "evaluate part I of N only; default: the place that mpirun or srun gives in the "
                "environment, else everything. A process that finds all results prints them")
        .needs("--results");
    describe_question(options, arguments.question);
}

}  // namespace

Verb const tune_verb{
    .name = "tune",
    .example = "tune gaussian-elimination",
    .summary = "the best block size, layout, network or schedule",
    .examples = R"(
  parcast tune gaussian-elimination --size 960 --ranks 8 --network meiko-cs2 \
      --sweep layout=row-cyclic,diagonal --sweep block=10,12,16,20,24,30,40,48,60,64,80,96,120,160
  parcast tune gaussian-elimination --sweep block=10,20,40,80 --network meiko-cs2 -o tuned.html
  parcast tune halo --sweep ranks=4,8,16,32,64 --sweep network=ethernet-200g,ipoib-qdr
  parcast tune examples/messages/diagonal-wave.json --sweep network=meiko-cs2,ipoib-qdr
  parcast tune loops.json --cpus 8
  parcast tune loops.json --cpus 2-16 --sweep n=256,512,1024 --search coarse
  parcast tune mrm.pam --set N=1e6 --sweep P=1..500:log --per N
  mpirun -n 8 parcast tune halo --sweep ranks=4,16,64 --network meiko-cs2 --results found
)",
    .description = R"(
Predicts a program at every combination of some values, and says which is the fastest, which are
within 5 % of it, and where two methods disagree about it. SUBJECT is

  gaussian-elimination, cannon, halo, matrix-product, banded-lu
                 a program that is generated with each value (parcast help generate), by the
                 standard algorithm, the overestimate, and with computing and sending overlapped
  steps          a file; its network and its clocks can be searched
  messages       a file; its network, collective operations, nodes and speed can be searched
  a task graph   its CPUs, its schedules and its parameters; what is not named is searched
  a model        its parameters, for the least mean time
)",
    .exit_status =
        "3 an input is missing, unreadable or damaged; 4 a replay deadlocks; 5 a result could not be written",
    .see_also = "predict generate",
    .prepare = prepared<TuneArguments, describe_options, tune>,
};

}  // namespace parcast::cli
