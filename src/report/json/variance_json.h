// The answer of `parcast variance --json`: docs/formats/variance.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "answer/variance.h"

namespace parcast::report {

std::string variance_json(VarianceAnswer const& report, std::string_view version);

}  // namespace parcast::report
