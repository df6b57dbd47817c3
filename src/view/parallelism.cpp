#include "view/parallelism.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <ranges>
#include <utility>

#include "view/pyramid.h"

namespace parcast::view {

namespace {

// Lowest, highest, and time-weighted sum of one of the numbers.
struct Range {
    float lowest = std::numeric_limits<float>::infinity();
    float highest = 0;
    double sum = 0;  // threads * ns

    static Range of(std::uint32_t threads, double length_ns) {
        auto const value = static_cast<float>(threads);
        return {value, value, threads * length_ns};
    }
    void add(Range const& part) {
        lowest = std::min(lowest, part.lowest);
        highest = std::max(highest, part.highest);
        sum += part.sum;
    }
};

struct ParallelismSummary {
    Range running;
    Range ready;
    Range waiting;
    double length_ns = 0;

    void add(ParallelismSummary const& part) {
        running.add(part.running);
        ready.add(part.ready);
        waiting.add(part.waiting);
        length_ns += part.length_ns;
    }
};

// The columns of one of the numbers.
struct RangeColumns {
    explicit RangeColumns(std::size_t nodes) : lowest(nodes), highest(nodes), mean(nodes) {}

    void set(std::size_t node, Range const& range, double length_ns) {
        lowest[node] = range.lowest;
        highest[node] = range.highest;
        mean[node] = static_cast<float>(range.sum / length_ns);
    }

    std::vector<float> lowest;
    std::vector<float> highest;
    std::vector<float> mean;
};

void add_pyramid(SectionWriter& writer, std::vector<ParallelismStep> const& steps, Duration length) {
    std::array<std::uint32_t, 2> const one_lane = {0, static_cast<std::uint32_t>(steps.size())};
    auto const pyramid = pyramid_over(one_lane);
    RangeColumns running(pyramid.size());
    RangeColumns ready(pyramid.size());
    RangeColumns waiting(pyramid.size());
    auto const item_at = [&](std::size_t item) {
        auto const& step = steps[item];
        auto const end_ns = item + 1 < steps.size() ? steps[item + 1].begin.ns : length.ns;
        auto const length_ns = static_cast<double>(end_ns - step.begin.ns);
        return ParallelismSummary{Range::of(step.running, length_ns), Range::of(step.ready, length_ns),
                                  Range::of(step.waiting, length_ns), length_ns};
    };
    auto const emit = [&](unsigned level, std::size_t index, ParallelismSummary const& node) {
        auto const at = pyramid.first[level - 1] + index;
        running.set(at, node.running, node.length_ns);
        ready.set(at, node.ready, node.length_ns);
        waiting.set(at, node.waiting, node.length_ns);
    };
    summarise<ParallelismSummary>(steps.size(), pyramid.levels, item_at, emit);
    writer.add("profile.pyramid.first", pyramid.first);
    writer.add("profile.min", running.lowest);
    writer.add("profile.max", running.highest);
    writer.add("profile.mean", running.mean);
    writer.add("profile.ready.min", ready.lowest);
    writer.add("profile.ready.max", ready.highest);
    writer.add("profile.ready.mean", ready.mean);
    writer.add("profile.waiting.min", waiting.lowest);
    writer.add("profile.waiting.max", waiting.highest);
    writer.add("profile.waiting.mean", waiting.mean);
}

// The parts of the path in which its thread runs or is ready, in the order of time.
std::vector<PathSegment> runnable_pieces(IntervalColumns const& rows, std::span<PathSegment const> path) {
    std::vector<PathSegment> pieces;
    auto const all = std::views::iota(std::size_t{0}, rows.size());
    for (auto const& segment : path) {
        auto const has_ended = [&](std::size_t row) {
            return std::pair(rows.thread[row].value, rows.end[row]) <=
                   std::pair(segment.thread.value, segment.begin);
        };
        auto row = static_cast<std::size_t>(std::ranges::partition_point(all, has_ended) - all.begin());
        for (; row < rows.size() && rows.thread[row] == segment.thread && rows.begin[row] < segment.end;
             ++row)
            if (is_on_processor(rows.state[row]) || rows.state[row] == ThreadState::ready)
                pieces.push_back({segment.thread, std::max(rows.begin[row], segment.begin),
                                  std::min(rows.end[row], segment.end)});
    }
    return pieces;
}

}  // namespace

Concurrency concurrency(IntervalColumns const& rows, std::span<ParallelismStep const> steps,
                        std::span<PathSegment const> path, std::uint32_t cpus, Duration length) {
    Concurrency found;
    if (length <= Duration{0})
        return found;
    auto const end_of = [&](std::size_t i) {
        return i + 1 < steps.size() ? steps[i + 1].begin : Instant{0} + length;
    };
    auto const together = [&](std::size_t i) { return steps[i].running + steps[i].ready; };
    Duration below{0};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        found.most = std::max(found.most, together(i));
        if (together(i) < cpus)
            below += end_of(i) - steps[i].begin;
    }
    std::map<std::uint32_t, Duration> alone;  // by thread
    std::size_t step = 0;
    for (auto const& piece : runnable_pieces(rows, path)) {
        while (step < steps.size() && end_of(step) <= piece.begin)
            ++step;
        for (auto i = step; i < steps.size() && steps[i].begin < piece.end; ++i)
            if (together(i) == 1)
                alone[piece.thread.value] +=
                    std::min(end_of(i), piece.end) - std::max(steps[i].begin, piece.begin);
    }
    auto const share = [&](Duration time) { return to_real(time).ns / to_real(length).ns; };
    found.share_below_cpus = share(below);
    Duration most{0};
    for (auto const& [thread, time] : alone) {
        if (time > most) {
            most = time;
            found.longest_alone = Alone{ThreadId(thread), share(time)};
        }
    }
    return found;
}

void add_parallelism(SectionWriter& writer, std::vector<ParallelismStep> const& steps, Duration length) {
    auto const time = writer.add<double>("profile.time", steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        time[i] = static_cast<double>(steps[i].begin.ns);
    auto const running = writer.add<float>("profile.running", steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        running[i] = static_cast<float>(steps[i].running);
    auto const ready = writer.add<std::uint32_t>("profile.ready", steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        ready[i] = steps[i].ready;
    auto const waiting = writer.add<std::uint32_t>("profile.waiting", steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        waiting[i] = steps[i].waiting;
    add_pyramid(writer, steps, length);
}

}  // namespace parcast::view
