// Findings as sentences that come before everything they put in doubt.

#pragma once

#include <span>
#include <string>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "report/layout.h"

namespace parcast::report {

// "warning: thread 3 was spinning ..." and "note: ...", a paragraph each, in the given order; the place
// in the source on a line of its own if the finding has one. Empty without findings.
std::string findings_text(std::span<Finding const> findings, Catalogue const& catalogue,
                          Layout const& layout);

bool has_warning(std::span<Finding const> findings);

}  // namespace parcast::report
