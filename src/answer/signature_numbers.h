// Numbers, formulas and places of a signature as all of its texts have them.

#pragma once

#include <string>

#include "answer/signature.h"

namespace parcast {

// "5.01 µs", "-9.89 ms", "0 s"
std::string signed_time_text(double ns);

// Mean numbers of events: "42.3", "749", "1,329".
std::string mean_count_text(double value);

// "condition wait of condition mailbox (exchange, jacobi.cpp:91)"
std::string place_text(SignaturePlace const& place);

// What speed-ups refer to, S T(P): T(1), or without a recording of one thread W(1). 0: neither is known.
double time_of_one_thread(SignatureAnswer const& answer);

// A formula of P with three digits for each number: "12 + 0.413*P".
std::string short_formula(std::string const& formula);

}  // namespace parcast
