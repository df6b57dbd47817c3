// From addresses to names: fills Site::module, module_offset and frames, names of global objects,
// functions of threads, and build-ids of modules, from the symbol tables and the debug information of
// the modules' files, including separate debug files, with inlined frames. Uses elfutils' libdw, which
// opens the files itself; code that lies in no file has the names of /tmp/perf-PID.map. Innermost frames out
// of the C++ library's headers are left out where the program's own follow. What cannot be resolved stays
// empty; nothing here fails.

#pragma once

#include "timeline/timeline.h"

namespace parcast::trace {

void symbolize(Timeline& timeline);

}  // namespace parcast::trace
