// The report of a model: one HTML document without a script, with the picture of a sweep, the table of its
// points, the formulas, and the text of the model.

#pragma once

#include <string>

#include "answer/answer.h"

namespace parcast::cli {

struct ModelPage {
    Answer answer;
    std::string formulas;  // equations of the language
    std::string text;      // of the model
};

std::string model_page(ModelPage const& page);

}  // namespace parcast::cli
