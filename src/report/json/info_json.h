// `parcast info --json`: docs/formats/info.schema.json.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "answer/finding.h"
#include "answer/profile.h"
#include "timeline/timeline.h"

namespace parcast::report {

std::string info_json(std::string const& file, std::string_view version, Timeline const& recorded,
                      Profile const& profile, std::span<Finding const> findings);

}  // namespace parcast::report
