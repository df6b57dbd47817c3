// The page of a model: `parcast report` writes it, and `parcast view` serves it and simulates for it.

#pragma once

#include <cstdint>
#include <string>

#include "cli/input.h"
#include "cli/verbs/page_report.h"
#include "cli/verbs/predict.h"
#include "core/result.h"
#include "page/server.h"

namespace parcast::cli {

enum class PageHost : std::uint8_t { file, server };

Result<Report> report_of_model(PredictArguments const& asked, Input input, PageHost host);

// What `predict --method simulate --json` prints of the model with the values that the page has, by name.
// Errors: those of that command.
Result<std::string> simulated_json(PredictArguments const& asked, page::Parameters const& values);

}  // namespace parcast::cli
