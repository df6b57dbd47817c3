// Parts that the JSON of several verbs shares: places, threads, objects, findings, provenance. Every
// part has the same fields wherever it occurs (docs/formats/*.schema.json); what is not known is null.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "answer/answer.h"
#include "answer/event_price.h"
#include "answer/finding.h"
#include "core/catalogue.h"
#include "core/spread.h"
#include "timeline/timeline.h"

namespace parcast::report {

using Json = nlohmann::ordered_json;

// null where there is nothing.
template <class Value>
Json or_null(std::optional<Value> const& value) {
    return value ? Json(*value) : Json();
}
inline Json or_null(std::string const& text) {
    return text.empty() ? Json() : Json(text);
}

// An array of what `entry` makes of each.
template <class Values, class Entry>
Json array_json(Values const& values, Entry const& entry) {
    Json json = Json::array();
    for (auto const& value : values)
        json.push_back(entry(value));
    return json;
}

// {"text", "module", "module_offset", "frames": [{"function", "file", "line"}]}, or null.
Json place_json(Catalogue const& catalogue, SiteId site);

// {"id", "kind", "name", "text", "first_used"}, or null.
Json object_json(Catalogue const& catalogue, ObjectId object);

// {"id", "text"}, or null.
Json thread_reference_json(Catalogue const& catalogue, ThreadId thread);

Json findings_json(std::span<Finding const> findings, Catalogue const& catalogue);

// {"value", "low", "high"}.
Json measured_speed_up_json(MeasuredSpeedUp const& measured);

// Times of the recording and its quality: {"cpu_time_ns", "wall_time_ns", "threads", ...}.
Json recorded_json(Provenance const& provenance, std::size_t threads);

// "input" of an answer about a recording: {"file", "form", "command", "date", "host", ...}.
Json input_json(std::string const& file, Provenance const& provenance);

// The same about a task graph: {"file", "form", "format"}.
Json graph_input_json(std::string const& file, std::string const& format);

// About any form of program.
Json input_json(Answer const& answer);

// {"median", "min", "max"}.
Json spread_json(Spread const& spread);

// {"recorder_ns", "ns", "bare_cpu_ns", "used", "problem"}, or null.
Json event_price_json(std::optional<EventPrice> const& price);

// {"low", "high"}; null where there is none. Times are whole nanoseconds.
Json range_json(std::optional<Range> const& range);
Json time_range_json(std::optional<Range> const& range);
// Digits beyond these say nothing, and need not be the same on every machine.
double rounded(double value);

// For steps and messages: the network; what other collective algorithms give; programs side by side.
Json network_json(MessagesBasis const& messages);
Json compared_json(std::vector<ComparedCollectives> const& compared);
Json jobs_json(MessagesBasis const& messages);

}  // namespace parcast::report
