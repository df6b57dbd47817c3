// The answer of `parcast variance` for people.

#pragma once

#include <string>

#include "report/layout.h"
#include "report/variance_report.h"

namespace parcast::report {

std::string variance_text(VarianceReport const& report, Layout const& layout);

}  // namespace parcast::report
