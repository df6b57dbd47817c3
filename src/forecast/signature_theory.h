// A characteristic function and alpha -> what follows, for fixed size and scaled execution.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "answer/signature_theory.h"
#include "core/result.h"
#include "model/events_threads/speed_up_theorem.h"

namespace parcast::forecast {

// `threads`: for which numbers of threads there is a row; none: powers of two up to beyond the best number,
// and that. Scaled execution beside that of fixed size if asked for. Errors: malformed (the formula),
// not_found (a name other than P), out_of_range, inconsistent (a g for which the theorem does not hold).
Result<SignatureTheory> signature_theory(std::string const& g, double alpha,
                                         std::span<std::uint32_t const> threads, model::Execution up_to);

}  // namespace parcast::forecast
