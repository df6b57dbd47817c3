// What a prediction means, in a few sentences: how far the program scales, what stops it, what to try.

#pragma once

#include <string>
#include <vector>

#include "answer/answer.h"

namespace parcast::report {

struct Verdict {
    std::vector<std::string> sentences;
    std::string next_command;  // to type; empty if none helps
};

// How far it scales. `speed_up_beyond`: on scaling.first_beyond, if there is one.
std::string extent_text(Scaling const& scaling, double speed_up_beyond);

// Without sentences if nothing but one CPU was predicted, or no replay ended, or not the one on one CPU.
Verdict verdict(Answer const& prediction);

}  // namespace parcast::report
