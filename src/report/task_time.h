// Times of task graphs for people: as time_text() says them, and beyond the 292 years that a Duration holds.

#pragma once

#include <string>

namespace parcast::report {

// "4.97 s", "51200000 h". REQUIRES: finite, not negative.
std::string task_time_text(double ns);

}  // namespace parcast::report
