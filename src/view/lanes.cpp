#include "view/columns.h"

#include <span>

#include "timeline/lanes.h"
#include "view/lane_summaries.h"
#include "view/pyramid.h"

namespace parcast::view {

namespace {

double real_ns(Instant instant) {
    return static_cast<double>(instant.ns);
}

std::uint16_t cpu_number(CpuId cpu) {
    return cpu.is_none() ? 0xffff : static_cast<std::uint16_t>(cpu.value);
}

// A column of numbers, made of a column of something else.
template <class Number, class Value, class Convert>
void add_column(SectionWriter& writer, char const* name, std::vector<Value> const& values,
                Convert const& convert) {
    auto const column = writer.add<Number>(name, values.size());
    for (std::size_t row = 0; row < values.size(); ++row)
        column[row] = convert(values[row]);
}

void add_lane_pyramid(SectionWriter& writer, IntervalColumns const& rows,
                      std::span<std::uint32_t const> first) {
    auto const pyramid = pyramid_over(first);
    auto const lanes = first.size() - 1;
    std::vector<std::uint8_t> state(pyramid.size());
    std::vector<std::uint8_t> busy(pyramid.size());
    std::vector<float> longest(pyramid.size());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        auto const item_at = [&](std::size_t item) {
            auto const row = first[lane] + item;
            return LaneSummary::of(rows.state[row], rows.end[row] - rows.begin[row]);
        };
        auto const emit = [&](unsigned level, std::size_t index, LaneSummary const& node) {
            auto const at = pyramid.first[(level - 1) * lanes + lane] + index;
            state[at] = static_cast<std::uint8_t>(node.dominant());
            busy[at] = node.busy();
            longest[at] = static_cast<float>(node.longest_ns);
        };
        summarise<LaneSummary>(first[lane + 1] - first[lane], pyramid.levels, item_at, emit);
    }
    writer.add("pyramid.first", pyramid.first);
    writer.add("pyramid.state", state);
    writer.add("pyramid.busy", busy);
    writer.add("pyramid.longest", longest);
}

}  // namespace

void add_thread_lanes(SectionWriter& writer, IntervalColumns const& rows, Accounts const& accounts) {
    auto const first = lane_first(rows, accounts.threads.size());
    writer.add("lane.first", first);
    add_column<double>(writer, "lane.end", accounts.threads,
                       [](auto const& account) { return real_ns(account.ended); });
    add_column<double>(writer, "interval.begin", rows.begin, real_ns);
    add_column<std::uint8_t>(writer, "interval.state", rows.state,
                             [](ThreadState state) { return static_cast<std::uint8_t>(state); });
    add_column<std::uint16_t>(writer, "interval.cpu", rows.cpu, cpu_number);
    auto const number = [](auto id) { return id.value; };
    add_column<std::uint32_t>(writer, "interval.object", rows.object, number);
    add_column<std::uint32_t>(writer, "interval.releaser", rows.releaser, number);
    add_column<std::uint32_t>(writer, "interval.site", rows.site, number);
    add_lane_pyramid(writer, rows, first);
}

void add_cpu_lanes(SectionWriter& writer, IntervalColumns const& rows, std::uint32_t cpus) {
    auto const lanes = cpu_rows(rows, cpus);
    auto const pyramid = pyramid_over(lanes.first);
    std::vector<std::uint32_t> thread(pyramid.size());
    std::vector<std::uint8_t> busy(pyramid.size());
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
        auto const item_at = [&](std::size_t item) {
            auto const row = lanes.row[lanes.first[cpu] + item];
            return CpuSummary::of(rows.thread[row], rows.state[row], rows.begin[row], rows.end[row]);
        };
        auto const emit = [&](unsigned level, std::size_t index, CpuSummary const& node) {
            auto const at = pyramid.first[(level - 1) * std::size_t{cpus} + cpu] + index;
            thread[at] = node.leader().thread.value;
            busy[at] = node.busy();
        };
        summarise<CpuSummary>(lanes.first[cpu + 1] - lanes.first[cpu], pyramid.levels, item_at, emit);
    }
    writer.add("cpu.first", lanes.first);
    writer.add("cpu.interval", lanes.row);
    writer.add("cpu.pyramid.first", pyramid.first);
    writer.add("cpu.pyramid.thread", thread);
    writer.add("cpu.pyramid.busy", busy);
}

}  // namespace parcast::view
