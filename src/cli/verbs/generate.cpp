// parcast generate taskgraph|threads|messages STRUCTURE: an input to predict about, with the structure of a
// known program.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/options/option_values.h"
#include "cli/options/step_generators.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/task_graph_output.h"
#include "cli/version.h"
#include "core/leading_number.h"
#include "core/suggestion.h"
#include "generate/task_graph.h"
#include "generate/threads.h"
#include "import/steps_json.h"
#include "import/threads_json.h"
#include "report/codes/codes.h"
#include "report/format.h"
#include "report/json/envelope.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

struct GenerateArguments {
    std::string kind;  // "taskgraph", "threads" or "messages"
    std::string structure;
    GeneratorSettings settings;  // all but "size" are for messages
    std::uint64_t seed = 1;
    OutputArguments output;

    // Absent: that of the structure's usual input.
    std::optional<std::uint32_t> size() const {
        for (auto const& [name, text] : settings)
            if (name == "size")
                return number_in<std::uint32_t>(text);
        return std::nullopt;
    }

    friend bool operator==(GenerateArguments const&, GenerateArguments const&) = default;
};

constexpr std::string_view messages_kind = "messages";
constexpr char const* see_help = "What there is: parcast help generate";

Error unknown(std::string_view word, std::vector<std::string_view> const& known, char const* what) {
    auto const meant = nearest(word, known);
    return make_error(ErrorCode::unasked,
                      "generate: there is no " + std::string(what) + " \"" + std::string(word) + "\"",
                      meant ? "Did you mean: " + std::string(*meant) : see_help);
}

// Which structure, or why not.
Result<generate::StructureName> structure_of(GenerateArguments const& arguments) {
    if (auto const named = generate::structure_named(arguments.structure))
        return *named;
    std::vector<std::string_view> known;
    for (auto const& named : generate::structures)
        known.push_back(named.name);
    return tl::unexpected(unknown(arguments.structure, known, "structure"));
}

Existing existing_output(GenerateArguments const& arguments) {
    return arguments.output.force ? Existing::replace : Existing::keep;
}

// The file that is named, else STRUCTURE-SIZE + `ending`.
std::string output_of(GenerateArguments const& arguments, std::string_view structure, std::uint32_t size,
                      std::string const& ending) {
    if (arguments.output.file)
        return *arguments.output.file;
    return usual_output(std::string(structure) + "-" + std::to_string(size), ending,
                        existing_output(arguments));
}

// How many there are of what was made: "tasks", "threads".
using Counts = std::vector<std::pair<char const*, std::uint64_t>>;

std::string json_of(GenerateArguments const& arguments, std::uint32_t size, Counts const& counts,
                    std::vector<std::string> const& assumptions, std::string const& path, std::size_t bytes) {
    nlohmann::ordered_json input{
        {"kind", arguments.kind}, {"structure", arguments.structure}, {"size", size}};
    if (arguments.kind != messages_kind)
        input["seed"] = arguments.seed;
    auto answer = report::envelope("generate", version, std::move(input));
    for (auto const& [what, count] : counts)
        answer[what] = count;
    answer["file"] = path;
    answer["bytes"] = bytes;
    answer["assumptions"] = assumptions;
    answer["assumption_codes"] = report::codes_of_assumptions(assumptions);
    return report::to_text(answer);
}

int generate_threads(GenerateArguments const& arguments) {
    auto const structure = generate::thread_structure_named(arguments.structure);
    if (!structure) {
        std::vector<std::string_view> known;
        for (auto const& named : generate::thread_structures)
            known.push_back(named.name);
        return print_failure(unknown(arguments.structure, known, "structure"));
    }
    auto const size = arguments.size().value_or(structure->usual_size);
    auto const program = generate::thread_program(structure->name, size, arguments.seed);
    if (!program)
        return print_failure(
            make_error(ErrorCode::unasked, "generate: " + program.error().message, see_help));
    auto const path = output_of(arguments, structure->name, size, ".threads.json");
    auto const text = to_threads_json(*program);
    if (!text)
        return print_failure(with_code(ErrorCode::bug, text.error(), "Please report it."));
    auto const bytes = write_text(*text, path, existing_output(arguments));
    if (!bytes)
        return print_failure(bytes.error());
    if (arguments.output.json)
        return print_result(json_of(arguments, size,
                                    {{"threads", program->lists.size()},
                                     {"operations", static_cast<std::uint64_t>(operation_count(*program))}},
                                    program->assumptions, path, *bytes));
    if (path == OutputFile::standard_output)
        return exit_success;
    print_note("wrote " + path + ": " + counted(static_cast<std::int64_t>(program->lists.size()), "thread") +
               ", " + counted(operation_count(*program), "operation") + ", " + bytes_text(*bytes));
    print_note("next: parcast predict " + report::command_line({path}) + " --scheduler round-robin");
    return exit_success;
}

int generate_task_graph(GenerateArguments const& arguments) {
    auto const structure = structure_of(arguments);
    if (!structure)
        return print_failure(structure.error());
    auto const size = arguments.size().value_or(structure->usual_size);
    auto const graph = generate::task_graph(structure->structure, size, arguments.seed);
    if (!graph)
        return print_failure(make_error(ErrorCode::unasked, "generate: " + graph.error().message, see_help));
    auto const path = output_of(arguments, structure->name, size, ".json");
    auto const bytes = write_task_graph(*graph, path, existing_output(arguments));
    if (!bytes)
        return print_failure(bytes.error());
    if (arguments.output.json)
        return print_result(json_of(arguments, size, {{"tasks", graph->tasks()}, {"groups", graph->groups()}},
                                    graph->assumptions, path, *bytes));
    say_written(*graph, path, *bytes);
    return exit_success;
}

// What the kind does not have is refused.
Result<void> check_options(GenerateArguments const& arguments) {
    if (arguments.kind == messages_kind) {
        if (arguments.seed == GenerateArguments().seed)
            return {};
        return fail(make_error(ErrorCode::unasked,
                               "generate: --seed is for taskgraph and threads; messages "
                               "have nothing that is random",
                               see_help));
    }
    for (auto const& [name, text] : arguments.settings)
        if (name != "size")
            return fail(make_error(ErrorCode::unasked, "generate: --" + name + " is for messages", see_help));
    return {};
}

int generate_messages(GenerateArguments const& arguments) {
    auto const refused = [](Error const& error) {
        auto told = with_advice(error, error.advice.empty() ? see_help : error.advice);
        told.message = "generate: " + told.message;
        return print_failure(told);
    };
    if (!is_step_structure(arguments.structure))
        return refused(no_step_structure(arguments.structure));
    auto const generators = step_generators(arguments.structure, arguments.settings);
    if (!generators)
        return refused(generators.error());
    auto const program = generated_steps(arguments.structure, *generators);
    if (!program)
        return refused(with_code(ErrorCode::unasked, program.error(), program.error().advice));
    auto const size = arguments.size().value_or(usual_size(arguments.structure));
    auto const path = output_of(arguments, arguments.structure, size, ".steps.json");
    auto const bytes = write_text(to_steps_json(*program), path, existing_output(arguments));
    if (!bytes)
        return print_failure(bytes.error());
    if (arguments.output.json)
        return print_result(json_of(
            arguments, size,
            {{"ranks", program->ranks}, {"steps", program->steps()}, {"messages", program->messages.size()}},
            program->assumptions, path, *bytes));
    if (path == OutputFile::standard_output)
        return exit_success;
    print_note("wrote " + path + ": " + counted(program->ranks, "rank") + ", " +
               counted(static_cast<std::int64_t>(program->steps()), "step") + ", " +
               counted(static_cast<std::int64_t>(program->messages.size()), "message") + ", " +
               bytes_text(*bytes));
    print_note("next: parcast predict " + report::command_line({path}) + " --network meiko-cs2");
    return exit_success;
}

int generate_input(GenerateArguments const& arguments) {
    if (auto const checked = check_options(arguments); !checked)
        return print_failure(checked.error());
    if (arguments.kind == messages_kind)
        return generate_messages(arguments);
    if (arguments.kind == "taskgraph")
        return generate_task_graph(arguments);
    if (arguments.kind == "threads")
        return generate_threads(arguments);
    return print_failure(unknown(arguments.kind, {"taskgraph", "threads", messages_kind}, "kind of input"));
}

std::vector<std::string> every_structure() {
    std::vector<std::string> names;
    auto const add = [&](auto const& rows) {
        for (auto const& row : rows)
            names.emplace_back(row.name);
    };
    add(generate::structures);
    add(generate::thread_structures);
    add(generate::message_structures);
    return names;
}

void describe_options(OptionTable& options, GenerateArguments& arguments) {
    options.word("KIND", "a kind of input, taskgraph, threads or messages, and its structure", arguments.kind,
                 1, {"taskgraph", "threads", std::string(messages_kind)});
    options.word("STRUCTURE", "a structure", arguments.structure, 1, every_structure());
    options.option("--seed N", arguments.seed, number(std::uint64_t{0}),
                   "seed of what is random; default: 1. Equal seeds give equal inputs");
    describe_generators(options, arguments.settings);
    options.output(arguments.output, "generate",
                   "write to FILE, - for standard output; default: STRUCTURE-SIZE.json, "
                   "STRUCTURE-SIZE.threads.json or STRUCTURE-SIZE.steps.json in the working directory");
}

}  // namespace

Verb const generate_verb{
    .name = "generate",
    .example = "generate taskgraph polyroots",
    .summary = "a task graph, or a program of threads or messages",
    .examples = R"(
  parcast generate taskgraph polyroots --size 30 -o p.json
  parcast generate taskgraph psim --size 4096 --seed 7
  parcast generate threads prime-filter --size 30
  parcast generate threads transactions --size 16 --seed 3 -o t.threads.json
  parcast generate messages gaussian-elimination --size 960 --block 48 --ranks 8 --layout diagonal
  parcast generate taskgraph dynprog -o - | jq '.groups | length'
)",
    .description = R"(
Writes a task graph, for predict, with the structure of one of the five programs of Adve (1993):

  mp3d           iterative fork-join: five loops, one with over 90 % of the work (size: particles)
  psim           two phases of six loops that divide the processors (size: nodes of the network)
  locusroute     two dynamic phases with skewed tasks in 16 regions (size: wires)
  polyroots      irregular, not series-parallel, a last loop of large tasks (size: degree)
  dynprog        a pipelined wavefront, its rows pinned to processes (size: length)

Or a program of threads (docs/formats/threads.md), one of three of Broberg (2002):

  transactions   random critical sections, entered in their order (size: threads)
  prime-filter   a sieve of one thread per prime; nothing is random (size: the last number)
  rendezvous     a server and its clients; the replay on several CPUs may deadlock (size: clients)

Or a program of steps (docs/formats/steps.md), whose ranks send each other messages:

  gaussian-elimination   blocked, a wave over the diagonals; Rugina and Schauser (1998) (size: rows)
  cannon                 multiplication of matrices on a torus of ranks (size: rows)
  halo                   iterations on a grid whose parts exchange their edges (size: points a side)
  matrix-product         blocks on a cube of ranks, sums in binary trees; Marinescu et al. (1990) (size: rows)
  banded-lu              LU decomposition with a sliding window; Marinescu et al. (1990) (size: rows)
)",
    .exit_status = "5 the file could not be written",
    .see_also = "predict extract",
    .prepare = prepared<GenerateArguments, describe_options, generate_input>,
};

}  // namespace parcast::cli
