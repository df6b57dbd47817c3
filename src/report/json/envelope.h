// The one JSON envelope of every verb: {"schema": "parcast.VERB/1", "parcast": VERSION, "input": {...}}.
// docs/formats/VERB.schema.json specifies the fields that a verb adds.

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace parcast::report {

// The head: which program answers, and about what.
nlohmann::ordered_json envelope(std::string_view verb, std::string_view version, nlohmann::ordered_json input,
                                unsigned schema_version = 1);

// Indented text with a line end. Invalid UTF-8 (a thread's name can hold any byte) becomes U+FFFD.
std::string to_text(nlohmann::ordered_json const& json);

// The same on one line, without its end.
std::string to_line(nlohmann::ordered_json const& json);

}  // namespace parcast::report
