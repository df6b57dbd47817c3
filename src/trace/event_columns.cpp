#include "trace/event_columns.h"

#include <array>
#include <memory>

#include "trace/byte_stream.h"

namespace parcast::trace {

namespace {

enum Column : unsigned {
    kind_column,   // EventKind
    flags_column,  // Outcome, then blocked and switched
    cpu_column,
    inside_column,
    span_column,  // less cpu_inside_ns
    wall_column,  // less the expected arrival
    value_column,
    object_column,  // less the previous one's, as numbers from -1 (none) up
    related_column,
    site_column,
    column_count,
};

// The previous event of the thread, as far as the next one is expected to follow from it.
struct Previous {
    std::int64_t end_ns = 0;  // of its call
    std::uint32_t object = 0;
};

// Arithmetic of hostile numbers wraps around; check() refuses what comes of it.
std::int64_t add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t subtract(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// none (all ones) becomes 0.
std::uint32_t from_one(std::uint32_t id) {
    return id + 1;
}

std::array<std::uint64_t, column_count> row_of(Event const& event, Previous& previous) {
    std::array<std::uint64_t, column_count> row;
    row[kind_column] = static_cast<std::uint64_t>(event.kind);
    row[flags_column] =
        static_cast<std::uint64_t>(event.outcome) | (event.blocked ? 4u : 0u) | (event.switched ? 8u : 0u);
    row[cpu_column] = zigzag(event.cpu_ns);
    row[inside_column] = zigzag(event.cpu_inside_ns);
    row[span_column] = zigzag(subtract(event.span_ns, event.cpu_inside_ns));
    row[wall_column] = zigzag(subtract(event.wall_ns, add(previous.end_ns, event.cpu_ns)));
    row[value_column] = zigzag(event.value);
    std::uint32_t const object = from_one(event.object.value);
    row[object_column] =
        zigzag(static_cast<std::int64_t>(object) - static_cast<std::int64_t>(previous.object));
    row[related_column] = from_one(event.related);
    row[site_column] = from_one(event.site.value);
    previous = {add(event.wall_ns, event.span_ns), object};
    return row;
}

Event event_of(std::array<std::uint64_t, column_count> const& row, Previous& previous) {
    Event event;
    event.kind = static_cast<EventKind>(row[kind_column]);
    event.outcome = static_cast<Outcome>(row[flags_column] & 3);
    event.blocked = (row[flags_column] & 4) != 0;
    event.switched = (row[flags_column] & 8) != 0;
    event.cpu_ns = unzigzag(row[cpu_column]);
    event.cpu_inside_ns = unzigzag(row[inside_column]);
    event.span_ns = add(unzigzag(row[span_column]), event.cpu_inside_ns);
    event.wall_ns = add(unzigzag(row[wall_column]), add(previous.end_ns, event.cpu_ns));
    event.value = unzigzag(row[value_column]);
    auto const object = static_cast<std::uint32_t>(previous.object +
                                                   static_cast<std::uint64_t>(unzigzag(row[object_column])));
    event.object = ObjectId(object - 1);
    event.related = static_cast<std::uint32_t>(row[related_column]) - 1;
    event.site = SiteId(static_cast<std::uint32_t>(row[site_column]) - 1);
    previous = {add(event.wall_ns, event.span_ns), object};
    return event;
}

// What a column may hold at most, so that no bits of it are dropped silently.
constexpr std::array<std::uint64_t, column_count> largest = {
    event_kind_count - 1, 15, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, 0xffffffff, 0xffffffff};

struct Header {
    std::vector<Run> runs;  // without their events
    std::vector<std::uint64_t> counts;
    std::uint64_t total = 0;
};

Header read_runs(ByteReader& reader, std::size_t threads) {
    Header header;
    std::size_t const runs = reader.count();
    for (std::size_t i = 0; i < runs && !reader.has_failed(); ++i) {
        std::uint64_t const thread = reader.varint();
        std::uint64_t const count = reader.varint_up_to(block_events - header.total);
        bool const rises = i == 0 || thread > header.runs.back().thread;
        if (thread >= threads || !rises) {
            reader.fail();
            break;
        }
        header.runs.push_back({static_cast<std::uint32_t>(thread), {}});
        header.counts.push_back(count);
        header.total += count;
    }
    return header;
}

}  // namespace

std::vector<std::byte> encode_events(std::span<Run const> runs) {
    ByteWriter writer;
    std::size_t total = 0;
    writer.varint(runs.size());
    for (Run const& run : runs) {
        writer.varint(run.thread);
        writer.varint(run.events.size());
        total += run.events.size();
    }
    std::size_t const room = total * longest_varint;
    auto const buffer = std::make_unique_for_overwrite<std::byte[]>(column_count * room);
    std::array<std::byte*, column_count> ends;
    std::array<std::uint64_t, column_count> all_bits{};
    for (unsigned column = 0; column < column_count; ++column) {
        ends[column] = buffer.get() + column * room;
    }
    for (Run const& run : runs) {
        Previous previous;
        for (Event const& event : run.events) {
            auto const row = row_of(event, previous);
            for (unsigned column = 0; column < column_count; ++column) {
                ends[column] = put_varint(ends[column], row[column]);
                all_bits[column] |= row[column];
            }
        }
    }
    std::uint64_t presence = 1u << kind_column;  // always there: it bounds the events of a block by its bytes
    for (unsigned column = 1; column < column_count; ++column) {
        presence |= static_cast<std::uint64_t>(all_bits[column] != 0) << column;
    }
    writer.varint(presence);
    for (unsigned column = 0; column < column_count; ++column) {
        if (presence >> column & 1) {
            std::byte const* const begin = buffer.get() + column * room;
            auto const size = static_cast<std::size_t>(ends[column] - begin);
            writer.varint(size);
            writer.append({begin, size});
        }
    }
    return writer.bytes();
}

Result<std::uint64_t> decode_events(std::span<std::byte const> content,
                                    std::vector<std::vector<Event>>& events) {
    ByteReader reader(content);
    Header const header = read_runs(reader, events.size());
    std::uint64_t const presence = reader.varint_up_to((1u << column_count) - 1);
    std::vector<ByteReader> columns(column_count, ByteReader({}));
    for (unsigned column = 0; column < column_count; ++column) {
        if (presence >> column & 1) {
            columns[column] = ByteReader(reader.take(reader.varint()));
        }
    }
    if (!reader.is_complete() || (header.total != 0 && (presence & 1) == 0) ||
        columns[0].remaining() != header.total) {
        return fail(ErrorCode::malformed, "this block of events does not follow the grammar.");
    }
    bool is_too_large = false;
    for (std::size_t i = 0; i < header.runs.size(); ++i) {
        Previous previous;
        auto& list = events[header.runs[i].thread];
        for (std::uint64_t k = 0; k < header.counts[i]; ++k) {
            std::array<std::uint64_t, column_count> row{};
            for (unsigned column = 0; column < column_count; ++column) {
                if (presence >> column & 1) {
                    row[column] = columns[column].varint();
                    is_too_large |= row[column] > largest[column];
                }
            }
            list.push_back(event_of(row, previous));
        }
    }
    bool is_complete = true;
    for (ByteReader const& column : columns) {
        is_complete &= column.is_complete();
    }
    if (is_too_large || !is_complete) {
        return fail(ErrorCode::malformed, "this block of events does not follow the grammar.");
    }
    return header.total;
}

}  // namespace parcast::trace
