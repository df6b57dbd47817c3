// Field numbers of Perfetto's trace format, as far as we write them; a namespace a message.

#pragma once

#include <cstdint>

#include <protozero/types.hpp>

namespace parcast::trace::perfetto {

using Field = protozero::pbf_tag_type;

namespace trace_file {
inline constexpr Field packet = 1;
}

namespace trace_packet {
inline constexpr Field timestamp = 8;
inline constexpr Field trusted_packet_sequence_id = 10;
inline constexpr Field track_event = 11;
inline constexpr Field interned_data = 12;
inline constexpr Field sequence_flags = 13;
inline constexpr Field track_descriptor = 60;
// Values of sequence_flags.
inline constexpr std::uint32_t incremental_state_cleared = 1;
inline constexpr std::uint32_t needs_incremental_state = 2;
}  // namespace trace_packet

namespace track_descriptor {
inline constexpr Field uuid = 1;
inline constexpr Field name = 2;
inline constexpr Field process = 3;
inline constexpr Field thread = 4;
inline constexpr Field parent_uuid = 5;
inline constexpr Field counter = 8;
inline constexpr Field child_ordering = 11;
inline constexpr Field sibling_order_rank = 12;
inline constexpr std::int32_t explicit_ordering = 3;  // of child_ordering
}  // namespace track_descriptor

namespace process_descriptor {
inline constexpr Field pid = 1;
inline constexpr Field process_name = 6;
}  // namespace process_descriptor

namespace thread_descriptor {
inline constexpr Field pid = 1;
inline constexpr Field tid = 2;
inline constexpr Field thread_name = 5;
}  // namespace thread_descriptor

namespace counter_descriptor {
inline constexpr Field unit = 3;
inline constexpr std::int32_t count = 2;  // of unit
}  // namespace counter_descriptor

namespace track_event {
inline constexpr Field category_iids = 3;
inline constexpr Field debug_annotations = 4;
inline constexpr Field type = 9;
inline constexpr Field name_iid = 10;
inline constexpr Field track_uuid = 11;
inline constexpr Field counter_value = 30;
inline constexpr Field flow_ids = 47;
inline constexpr Field terminating_flow_ids = 48;
// Values of type.
inline constexpr std::int32_t slice_begin = 1;
inline constexpr std::int32_t slice_end = 2;
inline constexpr std::int32_t instant = 3;
inline constexpr std::int32_t counter = 4;
}  // namespace track_event

namespace debug_annotation {
inline constexpr Field name_iid = 1;
inline constexpr Field uint_value = 3;
inline constexpr Field string_value_iid = 17;
}  // namespace debug_annotation

namespace interned_data {
inline constexpr Field event_categories = 1;
inline constexpr Field event_names = 2;
inline constexpr Field debug_annotation_names = 3;
inline constexpr Field debug_annotation_string_values = 29;
// Fields of each entry.
inline constexpr Field iid = 1;
inline constexpr Field text = 2;
}  // namespace interned_data

}  // namespace parcast::trace::perfetto
