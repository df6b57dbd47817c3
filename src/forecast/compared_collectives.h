// What other algorithms of the collective operations would give, each by a replay of the whole program.

#pragma once

#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/message_rows.h"
#include "program/message_program.h"

namespace parcast::forecast {

// For each kind that the program calls, every algorithm that it has, while the other kinds keep theirs; and
// all kinds as another library would choose, or with the best of each. Algorithms with very many messages are
// left out. `answer`: of the program, with its row. Errors: those of lowered() and replay_messages().
Result<std::vector<ComparedCollectives>> compared_collectives(MessageProgram const& called,
                                                              Answer const& answer,
                                                              ReplaySetting const& setting, unsigned workers);

}  // namespace parcast::forecast
