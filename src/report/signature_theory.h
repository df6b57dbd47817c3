// The answer of `parcast signature --g`, for people and as JSON
// (docs/formats/signature-theory.schema.json).

#pragma once

#include <string>
#include <string_view>

#include "answer/signature_theory.h"
#include "report/layout.h"

namespace parcast::report {

std::string signature_theory_text(SignatureTheory const& theory, Layout const& layout);
std::string signature_theory_json(SignatureTheory const& theory, std::string_view version);

}  // namespace parcast::report
