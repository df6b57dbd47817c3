#include "cli/files/task_graph_file.h"

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "import/time_unit.h"
#include "symbolic/parameters.h"

namespace parcast::cli {

namespace {

constexpr char const* see_help =
    "How a task graph is read: parcast help predict, and docs/formats/taskgraph.md.";

Error refusal(ErrorCode code, std::string message) {
    return make_error(code, std::move(message), see_help);
}

Result<ImportOptions> options_of(TaskGraphReading const& reading) {
    ImportOptions options;
    for (auto const& assignment : reading.set)
        if (auto const assigned = symbolic::assign(options.given, assignment); !assigned)
            return tl::unexpected(refusal(ErrorCode::unasked, "--set: " + assigned.error().message + "."));
    if (!reading.unit)
        return options;
    options.unit_ns = unit_ns(*reading.unit);
    if (!options.unit_ns)
        return tl::unexpected(
            refusal(ErrorCode::unasked, "--unit: \"" + *reading.unit + "\" is none of " + time_units + "."));
    return options;
}

// The text is read with its lines kept, however large it is: only where a large graph has a cycle.
Result<TaskGraph> import_again(std::string const& path, ImportOptions options) {
    auto text = read_text(path);
    if (!text)
        return pass_on(text);
    options.most_kept_bytes = text->size();
    return import_task_graph(std::move(*text), path, options);
}

bool lacks_line(Error const& error) {
    return error.code == ErrorCode::inconsistent && error.place && !error.place->line;
}

}  // namespace

bool is_task_graph_file(std::string const& path) {
    constexpr std::size_t enough = 65536;  // for the comments before a graph begins
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file)
        return false;
    std::string head(enough, '\0');
    head.resize(std::fread(head.data(), 1, head.size(), file.get()));
    return task_graph_format(head).has_value();
}

Result<ImportedGraph> read_task_graph(std::string const& path, TaskGraphReading const& reading) {
    auto const options = options_of(reading);
    if (!options)
        return pass_on(options);
    auto text = read_text(path);
    if (!text)
        return fail(with_advice(text.error(), see_help));
    auto const format = task_graph_format(*text);
    bool const is_large = text->size() > options->most_kept_bytes;
    auto graph = import_task_graph(std::move(*text), path, *options);
    if (!graph && is_large && lacks_line(graph.error()))
        graph = import_again(path, *options);
    if (!graph)
        return fail(with_advice(graph.error(), see_help));
    return ImportedGraph{std::move(*graph), format.value_or(TaskGraphFormat::json)};
}

}  // namespace parcast::cli
