// `parcast scale --json`: docs/formats/scale.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "report/scale_report.h"

namespace parcast::report {

std::string scale_json(ScaleReport const& report, std::string_view version);

}  // namespace parcast::report
