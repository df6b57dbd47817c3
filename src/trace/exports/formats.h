// The foreign formats, a row each: the command line, its help and its JSON read them here.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

struct ExportedFile {
    std::string_view ending;  // "pftrace"
    void (*write)(Execution const&, Output&);
};

struct ExportFormat {
    std::string_view name;
    std::string_view meaning;
    std::string_view opened_by;
    std::vector<ExportedFile> files;  // they belong together by their name
    bool is_of_messages = false;      // only message programs have what it holds
    bool is_binary = false;           // nothing for a terminal
};

// The first one is the default.
std::span<ExportFormat const> export_formats();

}  // namespace parcast::trace
