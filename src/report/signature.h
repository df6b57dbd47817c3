// The signature of a series of recordings, for people (a verdict, a table by P, fits, causes), as JSON
// (docs/formats/signature.schema.json) and as a picture.

#pragma once

#include <string>
#include <string_view>

#include "answer/signature.h"
#include "report/json/json_parts.h"
#include "report/layout.h"

namespace parcast::report {

std::string signature_text(SignatureAnswer const& answer, Layout const& layout);
// A row for every thread of every recording.
std::string signature_threads_text(SignatureAnswer const& answer, Layout const& layout);

// {"form": "series", "files", "command", "same_event_ns"}
Json series_input_json(SignatureAnswer const& answer);

enum class SignatureRows : std::uint8_t { without_threads, with_threads };
std::string signature_json(SignatureAnswer const& answer, std::string_view version, SignatureRows rows);

// Events with g, work per thread, and speed-ups of all laws, over P. SVG for light and dark pages.
std::string signature_chart_svg(SignatureAnswer const& answer);

}  // namespace parcast::report
