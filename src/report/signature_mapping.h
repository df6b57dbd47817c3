// The answer of `parcast signature` about a task graph, steps or messages, for people and as JSON
// (docs/formats/signature-mapping.schema.json).

#pragma once

#include <string>
#include <string_view>

#include "answer/signature_mapping.h"
#include "report/layout.h"

namespace parcast::report {

std::string signature_mapping_text(SignatureMapping const& mapping, Layout const& layout);
std::string signature_mapping_json(SignatureMapping const& mapping, std::string_view version);

}  // namespace parcast::report
