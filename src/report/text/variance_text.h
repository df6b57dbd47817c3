// The answer of `parcast variance` for people.

#pragma once

#include <string>

#include "answer/variance.h"
#include "report/layout.h"

namespace parcast::report {

std::string variance_text(VarianceAnswer const& report, Layout const& layout);

}  // namespace parcast::report
