#include "cli/verbs/extract_messages.h"

#include <cstdint>
#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/inputs.h"
#include "cli/files/output_file.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "core/bytes_text.h"
#include "core/counted.h"
#include "import/messages/message_format.h"
#include "report/codes/codes.h"
#include "report/json/envelope.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

std::int64_t work_ns(MessageProgram const& program) {
    std::int64_t work = 0;
    for (std::size_t each = 0; each < program.operations(); ++each)
        if (program.kind[each].operation() == MessageOperation::calc)
            work += static_cast<std::int64_t>(program.amount[each]);
    return work;
}

std::string json_of(std::string const& file, MessageProgram const& program, MessageFormat format,
                    std::vector<std::string> const& left_out, std::string const& path, std::size_t bytes) {
    auto answer = report::envelope("extract", version, {{"file", file}});
    answer["ranks"] = program.ranks();
    answer["operations"] = program.operations();
    answer["format"] = name_of(format);
    answer["work_ns"] = work_ns(program);
    answer["file"] = path;
    answer["bytes"] = bytes;
    answer["left_out"] = left_out;
    answer["assumptions"] = program.assumptions;
    answer["assumption_codes"] = report::codes_of_assumptions(program.assumptions);
    return report::to_text(answer);
}

Result<MessageFormat> format_to_write(std::string const& path) {
    if (path == "-")
        return MessageFormat::goal;
    if (auto const format = message_format_to_write(path))
        return *format;
    return fail(
        make_error(ErrorCode::unasked,
                   "extract: a message program is written as NAME.goal, NAME.bin, NAME.ti or NAME.dim, "
                   "and " +
                       path + " is none of them",
                   "What each format holds: docs/formats/messages.md."));
}

}  // namespace

int extract_messages(std::string const& file, OutputArguments const& output, MessageExtraction const& given) {
    auto const existing = output.force ? Existing::replace : Existing::keep;
    auto const path = output.file
                          ? *output.file
                          : usual_output(std::filesystem::path(file).stem().string(), ".goal", existing);
    auto const format = format_to_write(path);
    if (!format)
        return print_failure(format.error());
    if (auto const checked = check_output(path, existing, file); !checked)
        return print_failure(checked.error());
    auto const imported = read_messages(file, {.flops_per_ns = given.flops_per_ns});
    if (!imported)
        return print_failure(imported.error());
    auto const& program = imported->program;
    auto const written = write_messages(program, *format, given.collectives.value_or(CollectiveChoice()));
    if (!written)
        return print_failure(make_error(ErrorCode::impossible, file + ": " + written.error().message,
                                        "Another format may hold it: docs/formats/messages.md."));
    auto const bytes = write_text(written->bytes, path, existing);
    if (!bytes)
        return print_failure(bytes.error());
    if (output.json)
        return print_result(json_of(file, program, *format, written->left_out, path, *bytes));
    print_note("wrote " + path + ": " + std::string(title_of(*format)) + ", " +
               counted(program.ranks(), "rank") + ", " +
               counted(static_cast<std::int64_t>(program.operations()), "operation") + ", " +
               bytes_text(*bytes));
    for (auto const& sentence : written->left_out)
        print_note("in this format: " + sentence);
    for (auto const& assumption : program.assumptions)
        print_note("taken for granted: " + report::assumption_with_code(assumption));
    if (path != "-")
        print_note("next: parcast predict " + report::command_line({path}));
    return exit_success;
}

}  // namespace parcast::cli
