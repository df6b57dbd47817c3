// What an execution of a task graph means, for its page: the sentences of answer/run_sentences.h, with a task
// where a recording has a thread.

#pragma once

#include "answer/answer.h"
#include "answer/run_sentences.h"

namespace parcast::report {

// `prediction`: of the graph, for what other schedules take.
RunSentences task_graph_sentences(RunFacts const& run, Answer const& prediction);

}  // namespace parcast::report
