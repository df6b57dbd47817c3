// The one JSON envelope of every verb: {"schema": "parcast.VERB/1", "parcast": VERSION, "input": {...}}.
// The fields that a verb adds are specified by docs/formats/VERB.schema.json.

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace parcast::report {

// What the answer is about, and by which program: the head of the envelope.
nlohmann::ordered_json envelope(std::string_view verb, std::string_view version,
                                nlohmann::ordered_json input);

// Indented text with a line end. Invalid UTF-8 (a thread's name can hold any byte) becomes U+FFFD.
std::string to_text(nlohmann::ordered_json const& json);

}  // namespace parcast::report
