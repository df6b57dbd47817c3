// Names of files to write, in which %p stands for the number of the process, %h for the name of the host, %e
// for the name of the program, and %% for a percent sign, as in core(5).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace parcast {

struct FileNameParts {
    std::int64_t process = 0;
    std::string host;
    std::string program;
};

// Errors: unasked (another letter behind %), the message without the pattern.
Result<std::string> expanded_file_name(std::string_view pattern, FileNameParts const& parts);

// Whether names differ from process to process.
bool names_process(std::string_view pattern);

}  // namespace parcast
