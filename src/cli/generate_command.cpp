#include "cli/generate_command.h"

#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/output_file.h"
#include "cli/refusal.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "core/suggestion.h"
#include "generate/task_graph.h"
#include "import/taskgraph_json.h"
#include "report/envelope.h"
#include "report/format.h"

namespace parcast::cli {

namespace {

constexpr char const* see_help = "What there is: parcast help generate";

Refusal unknown(std::string_view word, std::vector<std::string_view> const& known, char const* what) {
    auto const meant = nearest(word, known);
    return {exit_usage, "generate: there is no " + std::string(what) + " \"" + std::string(word) + "\".",
            meant ? "Did you mean: " + std::string(*meant) : see_help};
}

// Which structure, or why not.
tl::expected<generate::StructureName, Refusal> structure_of(GenerateArguments const& arguments) {
    if (arguments.kind != "taskgraph")
        return tl::unexpected(unknown(arguments.kind, {"taskgraph"}, "kind of input"));
    if (auto const named = generate::structure_named(arguments.structure))
        return *named;
    std::vector<std::string_view> known;
    for (auto const& named : generate::structures)
        known.push_back(named.name);
    return tl::unexpected(unknown(arguments.structure, known, "structure"));
}

// What is wrong, or nothing.
std::optional<Refusal> write_to(std::string const& path, std::string_view text, Existing existing) {
    auto file = OutputFile::open(path, existing);
    if (!file) {
        return Refusal{exit_output, describe(file.error()),
                       existing == Existing::keep ? "--force replaces an existing file." : ""};
    }
    auto written = file->write(text);
    if (written)
        written = file->finish();
    return written ? std::nullopt : std::optional(Refusal{exit_output, describe(written.error()), ""});
}

std::string said_of(TaskGraph const& graph, std::string const& path, std::size_t bytes) {
    return "wrote " + path + ": " + report::counted(static_cast<std::int64_t>(graph.tasks()), "task") + ", " +
           report::bytes_text(bytes);
}

std::string json_of(GenerateArguments const& arguments, std::uint32_t size, TaskGraph const& graph,
                    std::string const& path, std::size_t bytes) {
    auto answer = report::envelope("generate", version,
                                   {{"kind", arguments.kind},
                                    {"structure", arguments.structure},
                                    {"size", size},
                                    {"seed", arguments.seed}});
    answer["tasks"] = graph.tasks();
    answer["groups"] = graph.groups();
    answer["file"] = path;
    answer["bytes"] = bytes;
    answer["assumptions"] = graph.assumptions;
    return report::to_text(answer);
}

}  // namespace

int generate_input(GenerateArguments const& arguments) {
    auto const structure = structure_of(arguments);
    if (!structure)
        return refuse(structure.error());
    auto const size = arguments.size.value_or(structure->usual_size);
    auto const graph = generate::task_graph(structure->structure, size, arguments.seed);
    if (!graph)
        return refuse({exit_usage, "generate: " + graph.error().message + ".", see_help});
    auto const path =
        arguments.output.value_or(std::string(structure->name) + "-" + std::to_string(size) + ".json");
    bool const is_to_output = path == OutputFile::standard_output;
    if (is_to_output && arguments.json)
        return refuse(
            {exit_usage, "generate: --json and -o - both write to standard output.", "Name a file with -o."});
    auto const text = to_json(*graph);
    if (auto const refusal = write_to(path, text, arguments.force ? Existing::replace : Existing::keep))
        return refuse(*refusal);
    if (arguments.json)
        return print_result(json_of(arguments, size, *graph, path, text.size()));
    if (!is_to_output) {
        print_note(said_of(*graph, path, text.size()));
        print_note("next: parcast predict " + path + " --schedule all");
    }
    return exit_success;
}

}  // namespace parcast::cli
