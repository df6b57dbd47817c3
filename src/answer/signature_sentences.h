// What a signature means, in sentences: what a performance engineer would conclude, before any number is
// looked at. Text, JSON and pages say the same ones.

#pragma once

#include <string>
#include <vector>

#include "answer/signature.h"

namespace parcast {

// How the events grow, what they cost, how far that alone would let it scale, what else stops it, and which
// calls are the cause; each with its final stop. REQUIRES: recordings.
std::vector<std::string> signature_verdict(SignatureAnswer const& answer);

// "condition mailbox (exchange, jacobi.cpp:91)"
std::string place_text(SignaturePlace const& place);

// A formula of P with three digits for each number: "12 + 0.413*P".
std::string short_formula(std::string const& formula);

}  // namespace parcast
