// From the command line to one plain struct a verb. Which options a verb has is said in verb_options.h. Only
// the sources of these two headers include the parser, which is slow to compile.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/calibrate_command.h"
#include "cli/export_command.h"
#include "cli/extract_command.h"
#include "cli/formula_command.h"
#include "cli/generate_command.h"
#include "cli/info_command.h"
#include "cli/predict_command.h"
#include "cli/record_command.h"
#include "cli/report_command.h"
#include "cli/scale_command.h"
#include "cli/variance_command.h"
#include "cli/view_command.h"

namespace parcast::cli {

// Text that was asked for (help, version): standard output, success.
struct Answer {
    std::string text;
};

// A command line that cannot be carried out.
struct UsageError {
    std::string message;
    std::string advice;  // the next command to try
};

using Arguments =
    std::variant<CalibrateArguments, ExportArguments, ExtractArguments, FormulaArguments, GenerateArguments,
                 InfoArguments, PredictArguments, RecordArguments, ReportArguments, ScaleArguments,
                 VarianceArguments, ViewArguments, Answer, UsageError>;

// `words` without the name of the program.
Arguments parse_arguments(std::span<char const* const> words);

// The options of a verb, long forms ("--cpus") and short ones ("-o"), for the test of the help texts.
std::vector<std::string> options_of(std::string_view verb);

}  // namespace parcast::cli
