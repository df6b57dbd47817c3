#include "trace/share_columns.h"

#include <algorithm>
#include <limits>

namespace parcast::trace {

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();

struct RunOfShares {
    ThreadId thread;
    std::uint64_t count = 0;
};

std::vector<RunOfShares> read_runs_of_shares(ByteReader& reader, std::size_t threads) {
    std::vector<RunOfShares> runs;
    std::uint64_t total = 0;
    for (std::size_t left = reader.count(); left > 0 && !reader.has_failed(); --left) {
        std::uint64_t const thread = reader.varint();
        std::uint64_t const count = reader.varint_up_to(block_shares - total);
        if (thread >= threads || (!runs.empty() && thread <= runs.back().thread.index()))
            reader.fail();
        runs.push_back({ThreadId(static_cast<std::size_t>(thread)), count});
        total += count;
    }
    return runs;
}

}  // namespace

void BlockOfShares::add(ThreadId thread, std::span<WorkShare const> shares) {
    if (runs_.empty() || runs_.back().thread != thread) {
        runs_.push_back({thread, 0});
        piece_ = 0;
    }
    for (WorkShare const& share : shares) {
        columns_[0].varint(share.piece - piece_);
        columns_[1].varint(share.stack.value + std::uint32_t{1});
        columns_[2].varint(static_cast<std::uint64_t>(share.ns));
        columns_[3].varint(share.calls);
        columns_[4].varint(share.deeper_calls);
        piece_ = share.piece;
    }
    runs_.back().shares += shares.size();
    size_ += shares.size();
}

std::vector<std::byte> BlockOfShares::content() const {
    ByteWriter writer;
    writer.varint(runs_.size());
    for (Run const& run : runs_) {
        writer.varint(run.thread.value);
        writer.varint(run.shares);
    }
    for (ByteWriter const& column : columns_) {
        writer.varint(column.bytes().size());
        writer.append(column.bytes());
    }
    return writer.bytes();
}

Result<void> decode_shares(std::span<std::byte const> content, std::size_t threads, ShareSink const& take) {
    ByteReader reader(content);
    auto const runs = read_runs_of_shares(reader, threads);
    std::vector<ByteReader> columns;
    for (std::size_t column = 0; column < BlockOfShares::column_count; ++column)
        columns.emplace_back(reader.take(reader.varint()));
    auto const value = [&](std::size_t column) {
        return static_cast<std::uint32_t>(columns[column].varint_up_to(most));
    };
    bool is_sound = reader.is_complete();
    std::vector<WorkShare> shares;
    for (auto const& run : runs) {
        std::uint64_t piece = 0;
        shares.clear();
        for (std::uint64_t i = 0; is_sound && i < run.count; ++i) {
            piece += columns[0].varint_up_to(most);
            WorkShare share;
            share.piece = static_cast<std::uint32_t>(piece);
            share.stack = StackId(value(1) - std::uint32_t{1});
            share.ns = static_cast<std::int64_t>(
                columns[2].varint_up_to(std::uint64_t{std::numeric_limits<std::int64_t>::max()}));
            share.calls = value(3);
            share.deeper_calls = value(4);
            shares.push_back(share);
            is_sound = piece <= most && std::ranges::none_of(columns, &ByteReader::has_failed);
        }
        if (is_sound && !shares.empty())
            take(run.thread, shares);
    }
    is_sound = is_sound && std::ranges::all_of(columns, &ByteReader::is_complete);
    if (!is_sound)
        return fail(ErrorCode::malformed, "this block of functions does not follow the grammar");
    return {};
}

}  // namespace parcast::trace
