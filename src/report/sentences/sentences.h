// Sentences about recordings and predictions, for text, JSON and page.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "answer/finding.h"
#include "answer/limit.h"
#include "answer/run_sentences.h"
#include "answer/scale.h"
#include "core/catalogue.h"
#include "report/layout.h"

namespace parcast::report {

// Causes of lost processor time in words.
//
// For a table: "mutex queue_lock (queue.h:41)" beside what that alone loses, or "locks", "no thread".
std::string cause_label(Loss const& loss, Catalogue const& catalogue);

// A replay that cannot go on: which threads wait for what, and who holds it.
//
// A paragraph for each replay that deadlocks, each after an empty line; one that is stuck as the last one
// before it is takes a single line. Empty if none deadlocks. `model` made the replays.
std::string deadlocks_text(std::span<Row const> runs, std::string_view model, Catalogue const& catalogue,
                           Layout const& layout);

// Findings as sentences that come before everything they put in doubt.

// "warning: thread 3 was spinning ..." and "note: ...", a paragraph each, in the given order; the place
// in the source on a line of its own if the finding has one. Empty without findings.
std::string findings_text(std::span<Finding const> findings, Catalogue const& catalogue,
                          Layout const& layout);

bool has_warning(std::span<Finding const> findings);

// What recording an event, and taking turns on the one CPU, cost the program, by unrecorded runs: a sentence
// each, with what the prediction does about it.
std::string event_price_text(EventPrice const& price);
std::string turns_text(ScaledCount const& count);

// What the predictions from one recording rest on: the model that replayed it, the machine, and how much of
// its work is replayed.

// "replayed by the direct model · scheduler linux · machine calibrated on build7, 2026-11-21"
std::string replayed_by(Answer const& prediction);

// "note: threads wait and take locks in the order of the recording ...": a paragraph that `note` begins.
// Empty if the direct model made the predictions, or the model that was asked for.
std::string replacement_text(Answer const& prediction, std::string const& note, Layout const& layout);

// "8.00 s of that is replayed; 2.00 s is what ...": who compares the time on one CPU with a stopwatch must
// know. Empty if next to nothing is left out.
std::string work_left_out(Answer const& prediction);

// What explains that a program was measured faster or slower than predicted, in sentences.
//
// Largest cause first; empty for a count that was not measured or whose error is within a percent.
std::vector<std::string> explanation(ScaledCount const& count);

// What an execution of a task graph means, for its page: the sentences of answer/run_sentences.h, with a task
// where a recording has a thread.
//
// `prediction`: of the graph, for what other schedules take.
RunSentences task_graph_sentences(RunFacts const& run, Answer const& prediction);

// What a prediction means, in a few sentences: how far the program scales, what stops it, what to try.
struct Verdict {
    std::vector<std::string> sentences;
    std::string next_command;  // to type; empty if none helps
};

// Without sentences if nothing but one CPU was predicted, or no replay ended, or not the one on one CPU.
Verdict verdict(Answer const& prediction);

}  // namespace parcast::report
