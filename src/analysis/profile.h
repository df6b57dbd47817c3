// A recording in two tables: a row a thread, a row a synchronisation object.

#pragma once

#include "answer/profile.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

Profile profile(Timeline const& recorded);

}  // namespace parcast::analysis
