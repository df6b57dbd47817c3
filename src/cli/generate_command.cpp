#include "cli/generate_command.h"

#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/task_graph_output.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "core/suggestion.h"
#include "generate/task_graph.h"
#include "report/envelope.h"

namespace parcast::cli {

namespace {

constexpr char const* see_help = "What there is: parcast help generate";

Error unknown(std::string_view word, std::vector<std::string_view> const& known, char const* what) {
    auto const meant = nearest(word, known);
    return make_error(ErrorCode::unasked,
                      "generate: there is no " + std::string(what) + " \"" + std::string(word) + "\".",
                      meant ? "Did you mean: " + std::string(*meant) : see_help);
}

// Which structure, or why not.
Result<generate::StructureName> structure_of(GenerateArguments const& arguments) {
    if (arguments.kind != "taskgraph")
        return tl::unexpected(unknown(arguments.kind, {"taskgraph"}, "kind of input"));
    if (auto const named = generate::structure_named(arguments.structure))
        return *named;
    std::vector<std::string_view> known;
    for (auto const& named : generate::structures)
        known.push_back(named.name);
    return tl::unexpected(unknown(arguments.structure, known, "structure"));
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
        return print_failure(structure.error());
    auto const size = arguments.size.value_or(structure->usual_size);
    auto const graph = generate::task_graph(structure->structure, size, arguments.seed);
    if (!graph)
        return print_failure(
            make_error(ErrorCode::unasked, "generate: " + graph.error().message + ".", see_help));
    auto const path =
        arguments.output.value_or(std::string(structure->name) + "-" + std::to_string(size) + ".json");
    if (path == OutputFile::standard_output && arguments.json)
        return print_failure(make_error(ErrorCode::unasked,
                                        "generate: --json and -o - both write to standard output.",
                                        "Name a file with -o."));
    auto const bytes = write_task_graph(*graph, path, arguments.force ? Existing::replace : Existing::keep);
    if (!bytes)
        return print_failure(bytes.error());
    if (arguments.json)
        return print_result(json_of(arguments, size, *graph, path, *bytes));
    say_written(*graph, path, *bytes);
    return exit_success;
}

}  // namespace parcast::cli
