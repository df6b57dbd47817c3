#include "import/task_graph_format.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "import/dot_lexer.h"
#include "import/readers.h"

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

// A workflow has a "workflow"; a file of ours says so in its "schema", wherever that stands.
bool is_like_wfformat(std::string_view text) {
    return text.starts_with('{') && text.find("\"workflow\"") != std::string_view::npos &&
           text.find("parcast.taskgraph/") == std::string_view::npos;
}

bool is_like_json(std::string_view text) {
    return text.starts_with('{') && !is_like_wfformat(text);
}

struct FormatRow {
    TaskGraphFormat format;
    char const* name;
    bool has_parameters;
    bool has_own_unit;
    bool (*recognises)(std::string_view text);  // from its first visible character on; at most one does
    Result<TaskGraph> (*read)(std::string text, std::string_view file, ImportOptions const& options);
};

// By TaskGraphFormat.
constexpr std::array<FormatRow, 4> formats{{
    {TaskGraphFormat::json, "json", true, true, is_like_json,
     [](std::string text, std::string_view file, ImportOptions const& options) {
         return task_graph_from_json(
             std::move(text), file,
             {.given = options.given, .cpus = options.cpus, .most_kept_bytes = options.most_kept_bytes});
     }},
    {TaskGraphFormat::wfformat, "wfformat", false, true, is_like_wfformat,
     [](std::string text, std::string_view file, ImportOptions const&) {
         return task_graph_from_wfformat(std::move(text), file);
     }},
    {TaskGraphFormat::stg, "stg", false, false, is_like_stg,
     [](std::string text, std::string_view file, ImportOptions const& options) {
         return task_graph_from_stg(text, file, options.unit_ns.value_or(1));
     }},
    {TaskGraphFormat::dot, "dot", false, false, is_like_dot,
     [](std::string text, std::string_view file, ImportOptions const& options) {
         return task_graph_from_dot(text, file, options.unit_ns.value_or(1));
     }},
}};

constexpr FormatRow const& row_of(TaskGraphFormat format) {
    return formats[static_cast<std::size_t>(format)];
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
    return row_of(format).name;
}

std::optional<TaskGraphFormat> task_graph_format(std::string_view text) {
    auto const start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(start);
    auto const* const found =
        std::ranges::find_if(formats, [&](FormatRow const& row) { return row.recognises(text); });
    return found == formats.end() ? std::nullopt : std::optional(found->format);
}

Result<TaskGraph> import_task_graph(std::string text, std::string_view file, ImportOptions const& options) {
    auto const format = task_graph_format(text);
    if (!format) {
        return has_no(file, "this is not a task graph",
                      "it is neither JSON nor a standard task graph (STG) nor Graphviz (digraph)");
    }
    auto const& row = row_of(*format);
    if (!row.has_parameters && options.given.begin() != options.given.end())
        return has_no(file, "--set", "only a task graph in parcast's JSON has parameters");
    if (row.has_own_unit && options.unit_ns)
        return has_no(file, "--unit", "the file says its unit itself");
    return row.read(std::move(text), file, options);
}

}  // namespace parcast
