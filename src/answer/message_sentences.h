// What a run of a message program means, in sentences: for `predict` and for the page.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/messages.h"
#include "answer/run_sentences.h"
#include "timeline/run.h"

namespace parcast {

// What limits it, most important first. `accounts`: of the run (timeline/run_of_messages.h).
std::vector<std::string> message_sentences(Accounts const& accounts, MessageTimes const& times);

// The same for a page, with references to ranks; after a deadlock who waits for whom.
RunSentences message_run_sentences(Run const& run, MessageTimes const& times);

}  // namespace parcast
