// The answer of `parcast variance`, for people and as JSON (docs/formats/variance.schema.json).

#pragma once

#include <string>
#include <string_view>

#include "answer/variance.h"
#include "report/layout.h"

namespace parcast::report {

std::string variance_text(VarianceAnswer const& report, Layout const& layout);
std::string variance_json(VarianceAnswer const& report, std::string_view version);

}  // namespace parcast::report
