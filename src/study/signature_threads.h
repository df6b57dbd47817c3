// The dynamic analysis of a recording over its threads (Marinescu, Rice and Vavalis 1990, section 3.3): which
// of them are the P threads of control, which of these do the same, and the means over those.

#pragma once

#include <optional>

#include "answer/signature.h"
#include "study/signature_series.h"

namespace parcast::study {

// Whether P, taken from the files' names, is the number of threads of control in every recording: as many
// work, or one more, the initial one, which is then not in P: it works before or after the others, or at most
// a tenth of the work. Chooses them. Where it is not, P is but a
// number, and all threads that work stay counted.
bool choose_threads_of_control(Recordings& recordings);

// An initial thread that works a little beside the others, on average over the recordings at most a tenth of
// the work, and a quarter of what each of the others does where they are fewest, is none of the P threads: 1,
// 2, 4 and 8 workers were P = 2, 3, 5, 9.
void take_initial_thread_out_of_threads(Recordings& recordings);

// An initial thread that counts is taken out of the means over threads if it has other numbers of events than
// all others, or far less to do. None: there is no such thread.
std::optional<InitialThread> leave_initial_thread_out(Recordings& recordings);

// Means over the threads of one role, and what follows from them and from the totals. `has_threads`: P is
// their number.
void add_means(RecordingSignature& recording, bool has_threads);

}  // namespace parcast::study
