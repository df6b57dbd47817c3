// The file of a process model in the PAMELA language (docs/formats/pamela.md), told from a recording or a
// task graph by its name or its first word.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "pamela/compile.h"

namespace parcast::cli {

// A name that ends with .pam, or a text whose first word is numeric, process or resource. False also if it
// cannot be read: who opens it then says why.
bool is_process_model_file(std::string const& path);

// "P=100", "N=1e6". Errors: malformed.
Result<pamela::Setting> setting_in(std::string_view assignment);

// What was said about a model need not be said again when it is compiled with other settings.
enum class Diagnostics : std::uint8_t { say, keep_quiet };

// Warnings and errors of the text go to standard error, as compilers print them.
// Files that the model names are looked for beside it.
Result<ProcessModel> read_process_model(std::string const& path, std::span<pamela::Setting const> settings,
                                        Diagnostics diagnostics = Diagnostics::say);

}  // namespace parcast::cli
