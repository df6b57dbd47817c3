#include "trace/event_columns.h"

#include <algorithm>
#include <array>
#include <memory>

#include "trace/byte_stream.h"
#include "trace/varint_column.h"

namespace parcast::trace {

namespace {

enum Column : unsigned {
    kind_column,   // EventKind
    flags_column,  // Outcome, then blocked, switched and unmeasured
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

using ColumnRow = std::array<std::uint64_t, column_count>;

ColumnRow row_of(Event const& event, PreviousEvent& previous) {
    ColumnRow row;
    row[kind_column] = static_cast<std::uint64_t>(event.kind);
    row[flags_column] = static_cast<std::uint64_t>(event.outcome) | (event.blocked ? 4u : 0u) |
                        (event.switched ? 8u : 0u) | (event.unmeasured ? 16u : 0u);
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

Event event_of(ColumnRow const& row, PreviousEvent& previous) {
    Event event;
    event.kind = static_cast<EventKind>(row[kind_column]);
    event.outcome = static_cast<Outcome>(row[flags_column] & 3);
    event.blocked = (row[flags_column] & 4) != 0;
    event.switched = (row[flags_column] & 8) != 0;
    event.unmeasured = (row[flags_column] & 16) != 0;
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
constexpr ColumnRow largest = {event_kind_count - 1, 31,        ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull,
                               0xffffffff,           0xffffffff};

}  // namespace

// Some rows as columns: few enough to stay in the cache between rows and varints.
class ColumnBatch {
public:
    static constexpr std::size_t capacity = handed_over_at_once;

    std::span<std::uint64_t> column(unsigned column, std::size_t count) {
        return std::span(values_[column]).first(count);
    }
    ColumnRow row(std::size_t i) const {
        ColumnRow row;
        for (unsigned column = 0; column < column_count; ++column)
            row[column] = values_[column][i];
        return row;
    }
    void set_row(std::size_t i, ColumnRow const& row) {
        for (unsigned column = 0; column < column_count; ++column)
            values_[column][i] = row[column];
    }

private:
    std::array<std::array<std::uint64_t, capacity>, column_count> values_{};
};

namespace {

// The columns of a block while it is read. The first error stays.
class ColumnReader {
public:
    // Takes the columns, whose values may still be wrong.
    explicit ColumnReader(ByteReader& reader) {
        std::uint64_t const presence = reader.varint_up_to((1u << column_count) - 1);
        for (unsigned column = 0; column < column_count; ++column) {
            is_present_[column] = (presence >> column & 1) != 0;
            if (is_present_[column])
                columns_[column] = reader.take(reader.varint());
        }
    }

    // Values of the column that bounds the number of events: a byte each.
    std::size_t kinds() const { return columns_[kind_column].size(); }

    void hand_over(ThreadId thread, std::uint64_t count, EventSink const& take) {
        PreviousEvent previous;
        std::array<Event, ColumnBatch::capacity> events;
        while (count > 0) {
            auto const step = static_cast<std::size_t>(std::min<std::uint64_t>(count, ColumnBatch::capacity));
            fill_batch(step);
            if (has_failed_)
                return;
            for (std::size_t i = 0; i < step; ++i)
                events[i] = event_of(batch_.row(i), previous);
            take(thread, std::span(events).first(step));
            count -= step;
        }
    }

    // Every value was there and in range, and none is left over.
    bool is_complete() const {
        return !has_failed_ && std::ranges::all_of(columns_, [](auto column) { return column.empty(); });
    }

private:
    void fill_batch(std::size_t count) {
        for (unsigned column = 0; column < column_count; ++column) {
            if (!is_present_[column])
                continue;  // zeros, since no batch wrote there
            auto const values = batch_.column(column, count);
            auto const taken = take_varints(columns_[column], values);
            if (!taken || std::ranges::max(values) > largest[column]) {
                has_failed_ = true;
                return;
            }
            columns_[column] = columns_[column].subspan(*taken);
        }
    }

    std::array<std::span<std::byte const>, column_count> columns_;  // what is left of them
    std::array<bool, column_count> is_present_{};
    bool has_failed_ = false;
    ColumnBatch batch_;
};

struct RunOfEvents {
    std::uint32_t thread = 0;
    std::uint64_t count = 0;
};

struct Header {
    std::vector<RunOfEvents> runs;
    std::uint64_t total = 0;
};

Header read_runs(ByteReader& reader, std::size_t first_thread, std::size_t threads) {
    Header header;
    std::size_t const runs = reader.count();
    for (std::size_t i = 0; i < runs && !reader.has_failed(); ++i) {
        std::uint64_t const thread = reader.varint();
        std::uint64_t const count = reader.varint_up_to(block_events - header.total);
        bool const rises = i == 0 ? thread >= first_thread : thread > header.runs.back().thread;
        if (thread >= threads || !rises) {
            reader.fail();
            break;
        }
        header.runs.push_back({static_cast<std::uint32_t>(thread), count});
        header.total += count;
    }
    return header;
}

}  // namespace

BlockOfEvents::BlockOfEvents()
    : bytes_(std::make_unique_for_overwrite<std::byte[]>(column_count * block_events * longest_varint)),
      batch_(std::make_unique<ColumnBatch>()) {
    clear();
}

BlockOfEvents::~BlockOfEvents() = default;

std::byte* BlockOfEvents::begin_of(unsigned column) const {
    return bytes_.get() + column * block_events * longest_varint;
}

void BlockOfEvents::clear() {
    runs_.clear();
    size_ = 0;
    presence_ = 1u << kind_column;  // always there: it bounds the events of a block by its bytes
    ends_.resize(column_count);
    for (unsigned column = 0; column < column_count; ++column)
        ends_[column] = begin_of(column);
}

void BlockOfEvents::add(ThreadId thread, std::span<Event const> events) {
    if (events.empty())
        return;
    if (runs_.empty() || runs_.back().thread != thread) {
        runs_.push_back({thread, 0});
        previous_ = {};
    }
    runs_.back().events += events.size();
    size_ += events.size();
    while (!events.empty()) {
        std::size_t const count = std::min(events.size(), ColumnBatch::capacity);
        for (std::size_t i = 0; i < count; ++i)
            batch_->set_row(i, row_of(events[i], previous_));
        for (unsigned column = 0; column < column_count; ++column)
            put(column, batch_->column(column, count));
        events = events.subspan(count);
    }
}

void BlockOfEvents::put(unsigned column, std::span<std::uint64_t const> values) {
    bool const are_zeros = std::ranges::all_of(values, [](std::uint64_t value) { return value == 0; });
    presence_ |= are_zeros ? 0u : 1u << column;
    ends_[column] = put_varints(ends_[column], values);
}

std::vector<std::byte> BlockOfEvents::content() const {
    ByteWriter writer;
    writer.varint(runs_.size());
    for (Run const& run : runs_) {
        writer.varint(run.thread.value);
        writer.varint(run.events);
    }
    writer.varint(presence_);
    for (unsigned column = 0; column < column_count; ++column) {
        if (presence_ >> column & 1) {
            auto const size = static_cast<std::size_t>(ends_[column] - begin_of(column));
            writer.varint(size);
            writer.append({begin_of(column), size});
        }
    }
    return writer.bytes();
}

Result<std::uint64_t> decode_events(std::span<std::byte const> content, std::size_t first_thread,
                                    std::size_t threads, EventSink const& take) {
    ByteReader reader(content);
    Header const header = read_runs(reader, first_thread, threads);
    ColumnReader columns(reader);
    bool is_sound = reader.is_complete() && columns.kinds() == header.total;
    for (std::size_t i = 0; is_sound && i < header.runs.size(); ++i)
        columns.hand_over(ThreadId(header.runs[i].thread), header.runs[i].count, take);
    is_sound = is_sound && columns.is_complete();
    if (!is_sound)
        return fail(ErrorCode::malformed, "this block of events does not follow the grammar");
    return header.total;
}

}  // namespace parcast::trace
