// What `parcast predict MODEL` prints for people.

#pragma once

#include <string>

#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

// Of many points some are shown, at equal distances, and the text says so; with Detail::all no assumption is
// left out.
std::string model_prediction_text(Answer const& prediction, Layout const& layout);

}  // namespace parcast::report
