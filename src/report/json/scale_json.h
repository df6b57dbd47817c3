// `parcast scale --json`: docs/formats/scale.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "answer/scale.h"

namespace parcast::report {

std::string scale_json(ScaleAnswer const& report, std::string_view version);

}  // namespace parcast::report
