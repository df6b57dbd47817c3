// What this host offers and lacks, as `parcast doctor` prints it.

#pragma once

#include <string>
#include <string_view>

#include "answer/host_check.h"
#include "report/layout.h"

namespace parcast::report {

std::string host_text(HostAnswer const& answer, Layout const& layout);

std::string host_json(HostAnswer const& answer, std::string_view parcast_version);

}  // namespace parcast::report
