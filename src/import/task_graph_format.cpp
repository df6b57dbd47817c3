#include "import/task_graph_format.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "import/dot.h"
#include "import/dot_lexer.h"
#include "import/stg.h"
#include "import/wfformat.h"

namespace parcast {

namespace {

// Its first line that is no comment is one or two numbers, the next one at least three.
bool is_like_stg(std::string_view text) {
    while (text.starts_with('#')) {
        auto const end = text.find('\n');
        auto const next = end == std::string_view::npos ? end : text.find_first_not_of(" \t\r\n", end);
        text = next == std::string_view::npos ? std::string_view() : text.substr(next);
    }
    auto const only_numbers = [](std::string_view line) {
        return line.find_first_not_of("0123456789 \t\r") == std::string_view::npos;
    };
    auto const first_line = text.substr(0, text.find('\n'));
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
           only_numbers(first_line);
}

bool is_like_dot(std::string_view text) {
    auto const first = DotLexer(text).next();
    return first.is_keyword("strict") || first.is_keyword("digraph") || first.is_keyword("graph");
}

// A file of ours says so in its "schema", wherever that stands; a workflow has a "workflow".
TaskGraphFormat json_format(std::string_view text) {
    bool const is_ours = text.find("parcast.taskgraph/") != std::string_view::npos;
    bool const is_workflow = text.find("\"workflow\"") != std::string_view::npos;
    return is_workflow && !is_ours ? TaskGraphFormat::wfformat : TaskGraphFormat::json;
}

tl::unexpected<Error> has_no(std::string_view file, char const* option, char const* why) {
    return fail(ErrorCode::unsupported, std::string(option) + ": " + why,
                {.file = std::string(file),
                 .line = std::nullopt,
                 .column = std::nullopt,
                 .byte_offset = std::nullopt});
}

}  // namespace

char const* name_of(TaskGraphFormat format) {
    constexpr std::array names = {"json", "wfformat", "stg", "dot"};
    return names[static_cast<std::size_t>(format)];
}

std::optional<TaskGraphFormat> task_graph_format(std::string_view text) {
    auto const start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
        return std::nullopt;
    if (text[start] == '{')
        return json_format(text);
    if (is_like_stg(text.substr(start)))
        return TaskGraphFormat::stg;
    return is_like_dot(text) ? std::optional(TaskGraphFormat::dot) : std::nullopt;
}

Result<TaskGraph> import_task_graph(std::string text, std::string_view file, ImportOptions const& options) {
    auto const format = task_graph_format(text);
    if (!format) {
        return has_no(file, "this is not a task graph",
                      "it is neither JSON nor a standard task graph (STG) nor Graphviz (digraph)");
    }
    bool const is_json = *format == TaskGraphFormat::json;
    bool const has_own_unit = is_json || *format == TaskGraphFormat::wfformat;
    if (!is_json && options.given.begin() != options.given.end())
        return has_no(file, "--set", "only a task graph in parcast's JSON has parameters");
    if (has_own_unit && options.unit_ns)
        return has_no(file, "--unit", "the file says its unit itself");
    switch (*format) {
        case TaskGraphFormat::json:
            return task_graph_from_json(std::move(text), file,
                                        {.given = options.given, .most_kept_bytes = options.most_kept_bytes});
        case TaskGraphFormat::wfformat: return task_graph_from_wfformat(std::move(text), file);
        case TaskGraphFormat::stg: return task_graph_from_stg(text, file, options.unit_ns.value_or(1));
        case TaskGraphFormat::dot: break;
    }
    return task_graph_from_dot(text, file, options.unit_ns.value_or(1));
}

}  // namespace parcast
