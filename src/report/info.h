// The answer of `parcast info`, for people (where the recording comes from, findings, a row a thread, a row
// an object) and as JSON (docs/formats/info.schema.json).

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "answer/finding.h"
#include "answer/profile.h"
#include "report/layout.h"
#include "timeline/timeline.h"

namespace parcast::report {

// Shows all of `recorded` but its events. Findings stand before the tables if one of them is a warning,
// else after them.
std::string info_text(Timeline const& recorded, Profile const& profile, std::span<Finding const> findings,
                      Layout const& layout);
std::string info_json(std::string const& file, std::string_view version, Timeline const& recorded,
                      Profile const& profile, std::span<Finding const> findings);

}  // namespace parcast::report
