// The answer of `parcast record --json`: docs/formats/record.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "answer/record.h"

namespace parcast::report {

std::string record_json(RecordAnswer const& answer, std::string_view version);

}  // namespace parcast::report
