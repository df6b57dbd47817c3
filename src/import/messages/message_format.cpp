#include "import/messages/message_format.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/counted.h"
#include "import/messages/dimemas_records.h"
#include "import/messages/goal_binary_layout.h"
#include "program/collectives/collectives.h"
#include "program/step_program.h"

namespace parcast {

namespace {

std::string_view without_blanks(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// Comments of GOAL stand before its first statement, too.
bool is_like_goal(std::string_view bytes) {
    auto text = without_blanks(bytes);
    while (text.starts_with("//") || text.starts_with("/*")) {
        auto const end = text.starts_with("/*") ? text.find("*/", 2) : text.find('\n');
        if (end == std::string_view::npos)
            return false;
        text = without_blanks(text.substr(end + (text.starts_with("/*") ? 2 : 1)));
    }
    return text.starts_with("num_ranks");
}

bool is_like_goal_binary(std::string_view bytes) {
    if (bytes.size() < sizeof(std::uint64_t))
        return false;
    auto const mark = goal_binary::number_at<std::uint64_t>(bytes.data());
    return mark == goal_binary::mark || mark == goal_binary::used_up_mark;
}

// The first line that is no comment is a number and a word.
bool is_like_simgrid_ti(std::string_view bytes) {
    auto text = without_blanks(bytes);
    while (text.starts_with('#')) {
        auto const end = text.find('\n');
        text = end == std::string_view::npos ? std::string_view() : without_blanks(text.substr(end));
    }
    auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
    auto const word = std::min(text.find_first_not_of(" \t", digits), text.size());
    return digits > 0 && word > digits && word < text.size() && text[word] >= 'a' && text[word] <= 'z';
}

bool is_like_dimemas(std::string_view bytes) {
    return bytes.starts_with(dimemas::mark);
}

struct MessageFormatRow {
    MessageFormat format;
    char const* name;
    char const* ending;
    std::string_view title;
    bool has_collectives;
    bool (*recognises)(std::string_view bytes);  // at most one does
    Result<MessageProgram> (*read)(std::string_view bytes, std::string_view file, double flops_per_ns);
    Result<WrittenMessages> (*write)(MessageProgram const& program);
};

// By MessageFormat.
constexpr std::array<MessageFormatRow, 4> message_formats{{
    {MessageFormat::goal, "goal", ".goal", "GOAL text", false, is_like_goal,
     [](std::string_view bytes, std::string_view file, double) { return messages_from_goal(bytes, file); },
     to_goal},
    {MessageFormat::goal_binary, "goal-binary", ".bin", "binary GOAL", false, is_like_goal_binary,
     [](std::string_view bytes, std::string_view file, double) {
         return messages_from_goal_binary(bytes, file);
     },
     to_goal_binary},
    {MessageFormat::simgrid_ti, "simgrid-ti", ".ti", "a SimGrid trace", true, is_like_simgrid_ti,
     [](std::string_view bytes, std::string_view file, double flops_per_ns) {
         NamedText const text{std::string(file), bytes};
         return messages_from_simgrid_ti({&text, 1}, flops_per_ns);
     },
     [](MessageProgram const& program) { return to_simgrid_ti(program); }},
    {MessageFormat::dimemas, "dimemas", ".dim", "a Dimemas trace", true, is_like_dimemas,
     [](std::string_view bytes, std::string_view file, double) { return messages_from_dimemas(bytes, file); },
     to_dimemas},
}};

constexpr MessageFormatRow const& row_of(MessageFormat format) {
    return message_formats[static_cast<std::size_t>(format)];
}

template <class Predicate>
std::optional<MessageFormat> format_where(Predicate predicate) {
    auto const* const found = std::ranges::find_if(message_formats, predicate);
    return found == message_formats.end() ? std::nullopt : std::optional(found->format);
}

// "collective operations are messages: allreduce by ring (3), barrier by tree (1)"
std::string lowering_sentence(std::vector<UsedAlgorithm> const& used) {
    std::string text;
    for (auto const& each : used)
        text += (text.empty() ? "collective operations are messages: " : ", ") +
                std::string(row_of(each.kind).name) + " by " + std::string(name_of(each.algorithm)) + " (" +
                count_text(static_cast<std::int64_t>(each.operations)) + ")";
    return text;
}

tl::unexpected<Error> refuse_import(std::string_view file, char const* why) {
    return fail(ErrorCode::unsupported, why,
                {.file = std::string(file), .line = {}, .column = {}, .byte_offset = {}});
}

}  // namespace

char const* name_of(MessageFormat format) {
    return row_of(format).name;
}

char const* ending_of(MessageFormat format) {
    return row_of(format).ending;
}

std::string_view title_of(MessageFormat format) {
    return row_of(format).title;
}

std::optional<MessageFormat> message_format(std::string_view bytes) {
    return format_where([&](MessageFormatRow const& row) { return row.recognises(bytes); });
}

std::optional<MessageFormat> message_format_to_write(std::string_view path) {
    return format_where([&](MessageFormatRow const& row) { return path.ends_with(row.ending); });
}

namespace {

// Rarely in the name of a trace, often in other texts.
bool is_never_in_a_name(char letter) {
    return (letter >= 0 && letter <= ' ') ||
           std::string_view("{}()[]<>\"=;,*").find(letter) != std::string_view::npos;
}

}  // namespace

std::optional<std::vector<std::string>> simgrid_trace_files(std::string_view text) {
    constexpr std::size_t longest_name = 4096;
    std::vector<std::string> files;
    while (!text.empty()) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty())
            continue;
        bool const is_name = line.size() <= longest_name &&
                             line.find_first_of("./") != std::string_view::npos &&
                             std::ranges::none_of(line, is_never_in_a_name);
        if (!is_name || files.size() >= most_ranks)
            return std::nullopt;
        files.emplace_back(line);
    }
    return files.empty() ? std::nullopt : std::optional(std::move(files));
}

Result<ImportedMessages> import_messages(std::string_view bytes, std::string_view file,
                                         MessageImportOptions const& options) {
    auto const format = message_format(bytes);
    if (!format)
        return refuse_import(file,
                             "this is no message program: it is neither GOAL, as text or binary, nor a "
                             "trace of SimGrid or Dimemas");
    if (*format != MessageFormat::simgrid_ti && options.flops_per_ns)
        return refuse_import(file,
                             "--flops-per-ns: only traces of SimGrid count flops, and this file has times");
    auto program = row_of(*format).read(bytes, file, options.flops_per_ns.value_or(1));
    if (!program)
        return pass_on(program);
    return ImportedMessages{std::move(*program), *format};
}

Result<ImportedMessages> import_messages(std::span<NamedText const> texts,
                                         MessageImportOptions const& options) {
    auto program = messages_from_simgrid_ti(texts, options.flops_per_ns.value_or(1));
    if (!program)
        return pass_on(program);
    return ImportedMessages{std::move(*program), MessageFormat::simgrid_ti};
}

Result<WrittenMessages> write_messages(MessageProgram const& program, MessageFormat format,
                                       CollectiveChoice const& choice) {
    auto const& row = row_of(format);
    if (row.has_collectives || !has_collectives(program))
        return row.write(program);
    auto const messages = lowered(program, choice);
    if (!messages)
        return pass_on(messages);
    auto written = row.write(messages->program);
    if (written)
        written->left_out.insert(written->left_out.begin(), lowering_sentence(messages->used));
    return written;
}

}  // namespace parcast
