// The file of a report, or standard output: it is there whole or not at all, and replaces nothing unasked.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/verbs/report.h"
#include "core/result.h"

namespace parcast::cli {

std::string output_name(ReportArguments const& arguments);

// Before the work whose result it is.
std::optional<Error> reason_not_to_write(ReportArguments const& arguments, std::string const& file);

std::optional<Error> write_report(std::string const& file, std::string_view document, bool force);

}  // namespace parcast::cli
