// Which options of a replay are for which form of input.

#pragma once

#include <optional>

#include "answer/form.h"
#include "cli/predict_command.h"
#include "core/error.h"

namespace parcast::cli {

// The first option that was given and is not for this form.
std::optional<Error> misfit_of(PredictArguments const& arguments, Form form);

// The same of an option of one verb alone.
Error option_misfit(std::string const& option, char const* forms, std::string const& file, Form form);

}  // namespace parcast::cli
