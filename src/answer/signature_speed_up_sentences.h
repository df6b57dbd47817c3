// The sentences of a signature about speed-ups: those of the replays, of the theorem and of other laws. Each
// is empty where there is nothing to say, and has its final stop otherwise. REQUIRES: recordings.

#pragma once

#include <string>

#include "answer/signature.h"

namespace parcast {

// "red_black_grid does not scale: with 4 threads it is 1.79 times as fast as with one". Empty: it does.
std::string no_scaling_sentence(SignatureAnswer const& answer);

// How far it would scale if nobody were ever blocked.
std::string outlook_sentence(SignatureAnswer const& answer);

// Where theorem and replay differ, the assumption that fails.
std::string difference_sentence(SignatureAnswer const& answer);

// Other laws and measurements that differ from the replay, and the assumption of each that does not hold.
std::string laws_sentence(SignatureAnswer const& answer);

// Where more threads stop paying in the replays.
std::string best_sentence(SignatureAnswer const& answer);

std::string imbalance_sentence(SignatureAnswer const& answer);

}  // namespace parcast
