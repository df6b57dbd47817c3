// What events cost, and what follows for the speed-up: W(P) = W_cons + theta g(P) + W_alg (2.40), the theorem
// of section 2.1, and beside it the laws that know no events.

#pragma once

#include <optional>

#include "answer/signature.h"

namespace parcast::study {

// theta, of the series and of the machine, and the parts of each run's work with the one that is taken.
void add_work(SignatureAnswer& answer);

// The work of one thread: measured, or without a recording of one thread the work without events, which is
// what the theorem takes. None: there is no such work, or it is not known. REQUIRES: add_work.
std::optional<WorkOfOne> work_of_one(SignatureAnswer const& answer);

// alpha = W(1) / theta, the theorem, and g(P) of each run. `scaled`: for scaled execution, too. REQUIRES: g,
// theta and W(1), where there are any.
void add_outlook(SignatureAnswer& answer, bool scaled);

// Amdahl, Gustafson and universal scalability, fitted to the speed-ups of the replays.
void add_other_laws(SignatureAnswer& answer);

}  // namespace parcast::study
