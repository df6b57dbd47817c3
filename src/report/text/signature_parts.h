// Parts of the text of a signature: after the tables by P, what was fitted to them.

#pragma once

#include <optional>
#include <string>

#include "answer/signature.h"
#include "report/layout.h"

namespace parcast::report {

// "6.97"; empty: none.
std::string optional_cell(std::optional<double> const& value);

// The theorem, other laws, and the identities of the model with their numbers.
std::string signature_laws_text(SignatureAnswer const& answer, Layout const& layout);

// W(P) = W_cons + theta g(P) + W_alg, with the theta that is taken and its source.
std::string signature_work_text(SignatureAnswer const& answer, Layout const& layout);

// The functions that were fitted to the numbers of events.
std::string signature_candidates_text(SignatureAnswer const& answer, Layout const& layout);

// The places whose events grow most.
std::string signature_causes_text(SignatureAnswer const& answer, Layout const& layout);

}  // namespace parcast::report
