// The parts of the table of codes, a file each.

#pragma once

#include <span>

#include "report/codes/codes.h"

namespace parcast::report {

// By FindingKind.
std::span<CodeRow const> finding_codes();
std::span<CodeRow const> assumption_codes();
// By ErrorCode; then those that are closer.
std::span<CodeRow const> error_codes();

}  // namespace parcast::report
