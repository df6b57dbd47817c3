// What `parcast record` prints.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/record.h"
#include "core/notice.h"

namespace parcast::report {

// What `parcast record` says at the end: findings about the main program first, then what was recorded, what
// was written and what to do next. Further processes are summed up, however many they are.
std::vector<Notice> record_notices(RecordAnswer const& answer);

// The answer of `parcast record --json`: docs/formats/record.schema.json.
std::string record_json(RecordAnswer const& answer, std::string_view version);

}  // namespace parcast::report
