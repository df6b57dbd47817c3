// Which form bytes with a message program have, told by their content, and the one call that reads any of
// them.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"
#include "program/collectives/collective_choice.h"
#include "program/message_program.h"

namespace parcast {

enum class MessageFormat : std::uint8_t { goal, goal_binary, simgrid_ti, dimemas };

char const* name_of(MessageFormat format);        // "goal", "goal-binary", "simgrid-ti", "dimemas"
char const* ending_of(MessageFormat format);      // of files that are written: ".goal", ".bin", ".ti", ".dim"
std::string_view title_of(MessageFormat format);  // "GOAL text"

// None: none of them. Bytes in one of them may still be wrong.
std::optional<MessageFormat> message_format(std::string_view bytes);
// By the ending of a file name that is to be written.
std::optional<MessageFormat> message_format_to_write(std::string_view path);

// The names of files that a SimGrid trace is spread over, one for each rank; a single one has all ranks.
// None: this is no such list. They are relative to the folder of the list, or to the working directory.
std::optional<std::vector<std::string>> simgrid_trace_files(std::string_view text);

struct MessageImportOptions {
    std::optional<double> flops_per_ns;  // for simgrid_ti, where none means 1; the others have times
};

struct ImportedMessages {
    MessageProgram program;
    MessageFormat format = MessageFormat::goal;  // that it was written in
};

// Errors: those of the readers, unsupported (none of the formats, or an option that it does not have).
Result<ImportedMessages> import_messages(std::string_view bytes, std::string_view file,
                                         MessageImportOptions const& options = {});
// A SimGrid trace of several files. Errors: those of its reader.
Result<ImportedMessages> import_messages(std::span<NamedText const> texts,
                                         MessageImportOptions const& options = {});

// A format without collective operations gets them as messages, by these algorithms: a sentence of left_out
// says which. Errors: those of the writers and of lowered().
Result<WrittenMessages> write_messages(MessageProgram const& program, MessageFormat format,
                                       CollectiveChoice const& choice = {});

}  // namespace parcast
