// What a signature means, in sentences: what a performance engineer would conclude, before any number is
// looked at. Text, JSON and pages say the same ones.

#pragma once

#include <string>
#include <vector>

#include "answer/signature.h"

namespace parcast {

// Whether it scales, how the events grow, what they cost, how far that alone would let it scale, what else
// stops it, and which calls are the cause; each with its final stop. REQUIRES: recordings.
std::vector<std::string> signature_verdict(SignatureAnswer const& answer);

}  // namespace parcast
