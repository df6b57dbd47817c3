// The foreign formats, a row each: the command line, its help and its JSON read them here.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

// What a format holds.
enum class ExportContent : std::uint8_t {
    execution,
    messages,  // of an execution of ranks
    program,   // what was executed
};

struct ExportedFile {
    std::string_view ending;                   // "pftrace"
    void (*write)(Execution const&, Output&);  // null: who has the program writes it
};

struct ExportFormat {
    std::string_view name;
    std::string_view meaning;
    std::string_view opened_by;
    std::vector<ExportedFile> files;  // they belong together by their name
    ExportContent content = ExportContent::execution;
    bool is_binary = false;  // nothing for a terminal
};

// The first one is the default.
std::span<ExportFormat const> export_formats();

}  // namespace parcast::trace
