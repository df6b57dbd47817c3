// The CPU time of a program on one CPU, for each number of threads: what `scale --cpu-times` measures, on a
// host that needs no recorder and no other CPU.

#pragma once

#include "answer/cpu_times.h"
#include "core/notice.h"
#include "core/result.h"
#include "study/scale.h"

namespace parcast::study {

// Each count runs unrecorded on one CPU, question.runs times, in turn with the others; with longer time
// slices, too, where the system grants them, to see what turns cost. Errors: unasked (nobody tells the
// program the count, or one CPU is not among them); those of record::find_host_program; program_failed.
Result<CpuTimes> measure_cpu_times(ScaleQuestion const& question, Listener const& tell);

}  // namespace parcast::study
