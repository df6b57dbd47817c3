// Which thread runs which piece of work that was handed out (hand_outs.h), on a machine that has a processor
// for every thread: the next piece, in the recorded order, goes to the thread that is free first (list
// scheduling, Graham 1969). When each comes for its first piece a replay on such a machine says, in which
// earlier work is handed out anew already (meetings.h). With fewer processors the threads share them
// evenly, so that all still end together.
//
// Waiting for the mutex of the hand-out, or any other, is left out.
// Cost: O(operations + pieces log threads).

#pragma once

#include <span>

#include "extract/hand_outs.h"
#include "extract/segments.h"
#include "program/thread_program.h"

namespace parcast::extract {

// Where the pieces begin and end.
Cuts cuts_of(std::span<HandOut const> hand_outs, std::size_t threads);

// Moves the pieces between the lists; ThreadProgram::other keeps those that were replaced. REQUIRES: `cuts`
// were written with the program, which is complete, and `other` is there if there are hand-outs.
void hand_out_anew(std::span<HandOut const> hand_outs, Cuts const& cuts, ThreadProgram& program);

}  // namespace parcast::extract
