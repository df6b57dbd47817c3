// Where most of the waiting for an object begins, and which thread is waited for longest.

#pragma once

#include <cstddef>
#include <optional>

#include "answer/run_sentences.h"
#include "core/id.h"
#include "timeline/interval.h"

namespace parcast::analysis {

// None if no wait for the object began at a known place. Cost: a pass over the intervals.
std::optional<MainSite> main_site(IntervalColumns const& rows, ObjectId object);

// The thread whose end or answer is waited for longest; none if no thread is. Cost: a pass over the
// intervals.
std::optional<AwaitedThread> most_awaited(IntervalColumns const& rows, std::size_t threads);

}  // namespace parcast::analysis
