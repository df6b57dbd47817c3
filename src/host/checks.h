// The checks of `parcast doctor`: a row for each, in a table.

#pragma once

#include <vector>

#include "answer/host_check.h"
#include "host/host_facts.h"

namespace parcast::host {

// In the order of the table; those about a program only where one is known.
std::vector<HostCheck> check_host(HostFacts const& facts);

}  // namespace parcast::host
