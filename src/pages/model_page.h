// The page of a model in the PAMELA language: its numbers as sliders, evaluated again by the module that it
// carries (forecast/live_model.h), its formulas, and what `predict` printed.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "forecast/forecast.h"
#include "forecast/live_model.h"

namespace parcast::pages {

struct ModelSource {
    std::string text;
    std::vector<std::pair<std::string, std::string>> files;  // that it names, with their content
};

// Words of `predict` that ask for the same: what the page copies.
struct ModelCommand {
    std::vector<std::string> options;   // but for values of parameters and --method
    std::string runs, precision, seed;  // as they are written behind their options; empty: not given
};

struct ModelPage {
    forecast::Forecast forecast;
    ModelCommand command;
    ModelSource source;
    Result<forecast::OpenedModel> live;  // an error: why the page has no sliders
    bool has_phases = false;
    bool has_server = false;  // which answers `simulated.json`
    std::string_view parcast_version;
};

// One HTML document, which needs no network. What `predict` prints, the formulas and the text of the model
// lie in it too, for readers without scripts.
std::string model_page(ModelPage page);

}  // namespace parcast::pages
