// Which options has a verb, and where does each go? Those of predict, report, view, export and scale, which
// replay, are in verb_options_of_replays.cpp, the others in verb_options.cpp.

#pragma once

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

namespace CLI {
class App;
}

namespace parcast::cli {

// The arguments are a loan until the parser has parsed.
void describe(CLI::App& parser, CalibrateArguments& arguments);
void describe(CLI::App& parser, ExportArguments& arguments);
void describe(CLI::App& parser, ExtractArguments& arguments);
void describe(CLI::App& parser, FormulaArguments& arguments);
void describe(CLI::App& parser, GenerateArguments& arguments);
void describe(CLI::App& parser, InfoArguments& arguments);
void describe(CLI::App& parser, PredictArguments& arguments);
void describe(CLI::App& parser, RecordArguments& arguments);
void describe(CLI::App& parser, ReportArguments& arguments);
void describe(CLI::App& parser, ScaleArguments& arguments);
void describe(CLI::App& parser, VarianceArguments& arguments);
void describe(CLI::App& parser, ViewArguments& arguments);

}  // namespace parcast::cli
