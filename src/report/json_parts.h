// Parts that the JSON of several verbs shares: places, threads, objects, findings, provenance. Every
// part has the same fields wherever it occurs (docs/formats/*.schema.json); what is not known is null.

#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "timeline/timeline.h"

namespace parcast::report {

using Json = nlohmann::ordered_json;

// {"text", "module", "module_offset", "frames": [{"function", "file", "line"}]}, or null.
Json place_json(Catalogue const& catalogue, SiteId site);

// {"id", "kind", "name", "text", "first_used"}, or null.
Json object_json(Catalogue const& catalogue, ObjectId object);

// {"id", "text"}, or null.
Json thread_reference_json(Catalogue const& catalogue, ThreadId thread);

Json findings_json(std::span<Finding const> findings, Catalogue const& catalogue);

// Times of the recording and its quality: {"cpu_time_ns", "wall_time_ns", "threads", ...}.
Json recorded_json(Provenance const& provenance, std::size_t threads);

// The head of an answer about a recording: {"file", "command", "date", "host"}.
Json input_json(std::string const& file, Provenance const& provenance);

}  // namespace parcast::report
