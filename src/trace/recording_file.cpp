#include "trace/recording_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "timeline/event_check.h"
#include "timeline/share_check.h"
#include "trace/byte_stream.h"
#include "trace/catalogue_coding.h"
#include "trace/recording_size.h"

namespace parcast::trace {

namespace {

// file    = head, block*, index, tail        (docs/formats/trace.md)
// head    = magic, version
// tail    = stored size of the index, its content size, checksum of index and sizes, magic
constexpr auto& magic = recording_magic;
constexpr std::size_t head_bytes = 16;
constexpr std::size_t tail_bytes = 32;

SourcePosition at_byte(std::uint64_t offset) {
    return {{}, {}, {}, offset};
}

Error placed(Error error, std::uint64_t offset) {
    error.place = at_byte(offset);
    return error;
}

std::vector<std::byte> encode_index(std::vector<IndexEntry> const& index) {
    ByteWriter writer;
    writer.varint(index.size());
    for (IndexEntry const& entry : index) {
        writer.varint(static_cast<std::uint64_t>(entry.kind));
        writer.varint(entry.size.stored);
        writer.varint(entry.size.content);
        writer.fixed(entry.size.checksum);
        if (entry.kind == BlockKind::events) {
            writer.varint(entry.first_thread);
            writer.varint(entry.first_event);
            writer.varint(entry.events);
        }
    }
    return writer.bytes();
}

// The blocks lie one after the other, from the head to the index: no byte of the file is outside a
// checksum.
Result<std::vector<IndexEntry>> decode_index(std::span<std::byte const> content, std::uint64_t index_offset,
                                             unsigned version) {
    auto const last_kind = version >= 4 ? BlockKind::shares : BlockKind::events;
    ByteReader reader(content);
    std::vector<IndexEntry> index;
    std::uint64_t offset = head_bytes;
    for (std::size_t left = reader.count(); left > 0 && !reader.has_failed(); --left) {
        IndexEntry entry;
        entry.kind = static_cast<BlockKind>(reader.varint_up_to(static_cast<std::uint64_t>(last_kind)));
        entry.offset = offset;
        entry.size.stored = reader.varint_up_to(index_offset - offset);
        entry.size.content = reader.varint();
        entry.size.checksum = reader.fixed();
        if (entry.kind == BlockKind::events) {
            entry.first_thread = static_cast<std::uint32_t>(reader.varint_up_to(0xffffffff));
            entry.first_event = reader.varint();
            entry.events = reader.varint_up_to(block_events);
        }
        offset += entry.size.stored;
        index.push_back(entry);
    }
    bool const is_in_order =
        index.size() >= 2 && index[0].kind == BlockKind::about && index[1].kind == BlockKind::catalogue &&
        std::all_of(index.begin() + 2, index.end(),
                    [](IndexEntry const& entry) { return entry.kind >= BlockKind::events; });
    if (!reader.is_complete() || offset != index_offset || !is_in_order) {
        return fail(ErrorCode::malformed, "the index of the trace does not follow the grammar",
                    at_byte(index_offset));
    }
    return index;
}

std::uint64_t tail_checksum(std::span<std::byte const> index, std::uint64_t stored, std::uint64_t content) {
    std::uint64_t const parts[] = {checksum_of(index), stored, content};
    return checksum_of(std::as_bytes(std::span(parts)));
}

std::vector<std::byte> encode_about(Timeline const& timeline) {
    ByteWriter writer;
    writer.signed_varint(timeline.length.ns);
    writer.varint(timeline.cpus);
    write_provenance(timeline.provenance, writer);
    return writer.bytes();
}

bool is_between(Sensed const& sensed, double most) {
    return 0 <= sensed.low && sensed.low <= sensed.value && sensed.value <= sensed.high &&
           sensed.high <= most;
}

// In their order, and what no machine exceeds: a program that runs a million times as long.
bool is_plausible(MemorySensing const& memory) {
    constexpr double most = 1e6;
    auto const is_ratio = [](double ratio) { return 0 <= ratio && ratio <= most; };
    return is_between(memory.sensitivity, most) && is_between(memory.pressure, most) &&
           is_ratio(memory.slowdown) && is_ratio(memory.compute_slowdown) && is_ratio(memory.memory_slowdown);
}

bool is_plausible(WakeUpTimes const& times) {
    constexpr double most_ns = 1e9;
    return is_between(times.latency, most_ns) && is_between(times.call, most_ns) && 0 <= times.creation &&
           times.creation <= most_ns;
}

bool is_plausible(BareRun const& run) {
    return run.wall_ns > 0 && run.user_ns >= 0 && run.system_ns >= 0 && 0 <= run.others && run.others <= 1;
}

// One CPU first, and a run on each number of CPUs in each round.
bool is_plausible(std::vector<MeasuredCpus> const& measured) {
    constexpr std::int64_t most_cpus = 65'536;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        auto const& [cpus, runs] = measured[i];
        bool const rises = i == 0 ? cpus == 1 : cpus > measured[i - 1].cpus && cpus <= most_cpus;
        if (!rises || runs.empty() || runs.size() != measured.front().runs.size() ||
            !std::ranges::all_of(runs, [](BareRun const& run) { return is_plausible(run); }))
            return false;
    }
    return measured.size() != 1;
}

Result<void> decode_about(std::span<std::byte const> content, unsigned version, Timeline& timeline) {
    ByteReader reader(content);
    timeline.length.ns = reader.signed_varint();
    timeline.cpus = static_cast<std::uint32_t>(reader.varint_up_to(0xffffffff));
    timeline.provenance = read_provenance(reader, version);
    Provenance const& provenance = timeline.provenance;
    if (!reader.is_complete() || !std::isfinite(provenance.event_cost_ns) ||
        !(provenance.unmeasured_cost_ns >= 0) || provenance.unmeasured_events < 0 ||
        !std::isfinite(provenance.unmeasured_cost_ns) || !std::isfinite(provenance.map_change_note_ns) ||
        !std::isfinite(provenance.map_fault_note_ns) || !std::isfinite(provenance.clock_read_ns) ||
        !(provenance.event_cost_uncertainty >= 0) || !std::isfinite(provenance.event_cost_uncertainty) ||
        (provenance.memory && !is_plausible(*provenance.memory)) || !is_plausible(provenance.measured) ||
        (provenance.wake_ups && !is_plausible(*provenance.wake_ups))) {
        return fail(ErrorCode::malformed, "the provenance of the trace does not follow the grammar");
    }
    return {};
}

Result<void> decode_catalogue(std::span<std::byte const> content, unsigned version, Timeline& timeline) {
    ByteReader reader(content);
    timeline.catalogue = read_catalogue(reader, version);
    if (!reader.is_complete())
        return fail(ErrorCode::malformed, "the catalogue of the trace does not follow the grammar");
    return {};
}

// Reads the blocks of events and shares in turn. Both are checked before they are handed over; what is wrong
// with them is said in the end, since damage of a later block explains more.
class EventBlocks {
public:
    EventBlocks(Timeline const& recorded, RecordingSink const& take)
        : threads_(recorded.catalogue.threads.size()),
          names_(check_names(recorded)),
          check_(recorded.catalogue, recorded.length),
          share_check_(recorded.catalogue),
          take_(take) {}

    Result<void> decode(IndexEntry const& entry, std::span<std::byte const> content) {
        return entry.kind == BlockKind::shares ? divide(content) : decode_block(entry, content);
    }

    Result<void> finish() {
        auto events = names_ ? check_.finish() : names_;
        return events ? share_check_.finish(event_counts_) : events;
    }

private:
    Result<void> divide(std::span<std::byte const> content) {
        if (!take_.shares)
            return {};
        return decode_shares(content, threads_, [&](ThreadId thread, std::span<WorkShare const> shares) {
            share_check_.add(thread, shares);
            if (names_ && share_check_.is_sound())
                take_.shares(thread, shares);
        });
    }

    Result<void> decode_block(IndexEntry const& entry, std::span<std::byte const> content) {
        bool const continues = entry.first_thread < threads_ && entry.first_thread >= thread_ &&
                               entry.first_event == (entry.first_thread == thread_ ? events_of_thread_ : 0);
        if (!continues)
            return fail(ErrorCode::malformed, "this block of events does not continue the one before it");
        auto const count =
            decode_events(content, entry.first_thread, threads_,
                          [&](ThreadId thread, std::span<Event const> events) { take(thread, events); });
        if (!count)
            return pass_on(count);
        if (*count != entry.events)
            return fail(ErrorCode::malformed,
                        "this block holds another number of events than the index says");
        return {};
    }

    void take(ThreadId thread, std::span<Event const> events) {
        events_of_thread_ = (thread.index() == thread_ ? events_of_thread_ : 0) + events.size();
        thread_ = thread.index();
        event_counts_.resize(threads_);
        event_counts_[thread_] += events.size();
        check_.add(thread, events);
        if (names_ && check_.is_sound())
            take_.events(thread, events);
    }

    std::size_t threads_;
    Result<void> names_;
    EventCheck check_;
    ShareCheck share_check_;
    std::vector<std::uint64_t> event_counts_;
    RecordingSink const& take_;  // the caller's, while blocks are decoded
    std::size_t thread_ = 0;
    std::uint64_t events_of_thread_ = 0;
};

// The version.
Result<unsigned> check_head(FileBytes& file) {
    if (file.size() == 0)
        return fail(ErrorCode::truncated, "the file is empty");
    auto const head = file.at(0, static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), head_bytes)));
    if (!head)
        return pass_on(head);
    if (!begins_recording(*head))
        return fail(ErrorCode::unsupported, "this is not a trace of parcast", at_byte(0));
    if (file.size() < head_bytes + tail_bytes) {
        return fail(ErrorCode::truncated,
                    "the trace ends within its head: it was not copied or written completely",
                    at_byte(file.size()));
    }
    ByteReader reader(head->subspan(magic.size(), sizeof(std::uint64_t)));
    std::uint64_t const version = reader.fixed();
    if (version < oldest_readable_version || version > recording_version) {
        return fail(ErrorCode::unsupported,
                    "the trace has version " + std::to_string(version) + ", this parcast reads versions " +
                        std::to_string(oldest_readable_version) + " to " + std::to_string(recording_version) +
                        ": read it with the parcast that wrote it, or record again",
                    at_byte(magic.size()));
    }
    return static_cast<unsigned>(version);
}

Result<std::vector<IndexEntry>> read_index(FileBytes& file, BlockReader& blocks, unsigned version) {
    std::uint64_t const tail_offset = file.size() - tail_bytes;
    auto const tail_content = file.at(tail_offset, tail_bytes);
    if (!tail_content)
        return pass_on(tail_content);
    ByteReader tail(*tail_content);
    std::uint64_t const stored = tail.fixed();
    std::uint64_t const content = tail.fixed();
    std::uint64_t const checksum = tail.fixed();
    if (!begins_recording(tail.take(magic.size())) || stored > tail_offset - head_bytes) {
        return fail(ErrorCode::truncated, "the trace has no end: it was not copied or written completely",
                    at_byte(file.size()));
    }
    std::uint64_t const offset = tail_offset - stored;
    auto const bytes = file.at(offset, stored);
    if (!bytes)
        return pass_on(bytes);
    if (tail_checksum(*bytes, stored, content) != checksum) {
        return fail(ErrorCode::corrupted, "the checksum of the index does not match: the file was damaged",
                    at_byte(offset));
    }
    auto const index = blocks.read(*bytes, {stored, content, checksum_of(*bytes)});
    if (!index)
        return tl::unexpected(placed(index.error(), offset));
    return decode_index(*index, offset, version);
}

template <class Decode>
Result<void> read_block(FileBytes& file, IndexEntry const& entry, BlockReader& blocks, Decode const& decode) {
    auto const stored = file.at(entry.offset, entry.size.stored);
    auto const content = stored ? blocks.read(*stored, entry.size) : pass_on(stored);
    auto const decoded = content ? decode(*content) : Result<void>(pass_on(content));
    if (!decoded)
        return tl::unexpected(placed(decoded.error(), entry.offset));
    return {};
}

}  // namespace

bool begins_recording(std::span<std::byte const> head) {
    return std::memcmp(head.data(), magic.data(), std::min(head.size(), magic.size())) == 0;
}

RecordingWriter::RecordingWriter(Timeline const& recorded, Output output) : output_(std::move(output)) {
    ByteWriter head;
    head.append(std::as_bytes(std::span(magic)));
    head.fixed(recording_version);
    output_(head.bytes());
    write({BlockKind::about, 0, {}, 0, 0, 0}, encode_about(recorded));
    ByteWriter catalogue;
    write_catalogue(recorded.catalogue, catalogue);
    write({BlockKind::catalogue, 0, {}, 0, 0, 0}, catalogue.bytes());
}

void RecordingWriter::add(ThreadId thread, std::span<Event const> events) {
    if (thread != thread_)
        events_of_thread_ = 0;
    thread_ = thread;
    while (!events.empty()) {
        if (block_.size() == 0)
            block_begin_ = {BlockKind::events, 0, {}, thread.value, events_of_thread_, 0};
        std::size_t const count = std::min(events.size(), block_events - block_.size());
        block_.add(thread, events.first(count));
        events_of_thread_ += count;
        events = events.subspan(count);
        if (block_.size() == block_events)
            write_block();
    }
}

void RecordingWriter::add_shares(ThreadId thread, std::span<WorkShare const> shares) {
    while (!shares.empty()) {
        std::size_t const count = std::min(shares.size(), block_shares - shares_.size());
        shares_.add(thread, shares.first(count));
        shares = shares.subspan(count);
        if (shares_.size() == block_shares)
            write_shares();
    }
}

void RecordingWriter::finish() {
    if (block_.size() > 0)
        write_block();
    if (shares_.size() > 0)
        write_shares();
    piece_.clear();
    BlockSize const size = blocks_.write(encode_index(index_), piece_);
    ByteWriter tail;
    tail.fixed(size.stored);
    tail.fixed(size.content);
    tail.fixed(tail_checksum(piece_, size.stored, size.content));
    tail.append(std::as_bytes(std::span(magic)));
    output_(piece_);
    output_(tail.bytes());
}

void RecordingWriter::write_block() {
    block_begin_.events = block_.size();
    write(block_begin_, block_.content());
    block_.clear();
}

void RecordingWriter::write_shares() {
    write({BlockKind::shares, 0, {}, 0, 0, 0}, shares_.content());
    shares_.clear();
}

void RecordingWriter::write(IndexEntry entry, std::span<std::byte const> content) {
    piece_.clear();
    entry.size = blocks_.write(content, piece_);
    index_.push_back(entry);
    output_(piece_);
}

std::vector<std::byte> write_recording(Timeline const& recorded) {
    std::vector<std::byte> file;
    RecordingWriter writer(recorded, [&](std::span<std::byte const> piece) {
        file.insert(file.end(), piece.begin(), piece.end());
    });
    hand_over_events(recorded,
                     [&](ThreadId thread, std::span<Event const> events) { writer.add(thread, events); });
    hand_over_shares(recorded, [&](ThreadId thread, std::span<WorkShare const> shares) {
        writer.add_shares(thread, shares);
    });
    writer.finish();
    return file;
}

Result<Timeline> read_recording(FileBytes& file, BeginEvents const& begin) {
    auto const version = check_head(file);
    if (!version)
        return pass_on(version);
    BlockReader blocks;
    auto const index = read_index(file, blocks, *version);
    if (!index)
        return pass_on(index);
    Timeline recorded;
    auto const about = read_block(file, (*index)[0], blocks,
                                  [&](auto content) { return decode_about(content, *version, recorded); });
    if (!about)
        return pass_on(about);
    auto const catalogue = read_block(file, (*index)[1], blocks, [&](auto content) {
        return decode_catalogue(content, *version, recorded);
    });
    if (!catalogue)
        return pass_on(catalogue);
    RecordingSink const take = begin(recorded);
    EventBlocks events(recorded, take);
    for (IndexEntry const& entry : std::span(*index).subspan(2)) {
        auto const decoded =
            read_block(file, entry, blocks, [&](auto content) { return events.decode(entry, content); });
        if (!decoded)
            return pass_on(decoded);
    }
    if (auto const checked = events.finish(); !checked)
        return fail(ErrorCode::malformed, "the trace contradicts itself: " + checked.error().message);
    return recorded;
}

RecordingSink keep_recording(Timeline& recorded) {
    recorded.events.resize(recorded.catalogue.threads.size());
    return {[&recorded](ThreadId thread, std::span<Event const> events) {
                for (Event const& event : events)
                    recorded.events[thread.index()].push_back(event);
            },
            [&recorded](ThreadId thread, std::span<WorkShare const> shares) {
                recorded.shares.resize(recorded.catalogue.threads.size());
                auto& kept = recorded.shares[thread.index()];
                kept.insert(kept.end(), shares.begin(), shares.end());
            }};
}

Result<Timeline> read_recording(std::span<std::byte const> bytes) {
    FileBytes file(bytes);
    return read_recording(file, keep_recording);
}

Result<std::uint64_t> count_events(FileBytes& file) {
    auto const version = check_head(file);
    if (!version)
        return pass_on(version);
    BlockReader blocks;
    auto const index = read_index(file, blocks, *version);
    if (!index)
        return pass_on(index);
    std::uint64_t events = 0;
    for (IndexEntry const& entry : *index)
        events += entry.kind == BlockKind::events ? entry.events : 0;
    return events;
}

}  // namespace parcast::trace
