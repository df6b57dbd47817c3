// What `parcast record` says at the end: findings about the main program first, then what was recorded, what
// was written and what to do next. Further processes are summed up, however many they are.

#pragma once

#include <vector>

#include "answer/record.h"
#include "core/notice.h"

namespace parcast::report {

std::vector<Notice> record_notices(RecordAnswer const& answer);

}  // namespace parcast::report
