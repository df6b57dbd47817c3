#include "record/sampled_work.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace parcast::record {
namespace {

constexpr std::uint32_t no_caller = 0xffffffff;

Event event_at(EventKind kind, std::int64_t at, std::int64_t span) {
    Event event;
    event.kind = kind;
    event.wall_ns = at;
    event.span_ns = span;
    return event;
}

struct Divided {
    Timeline recorded;
    std::vector<WorkShare> shares;
};

// A process with one thread, number 12: a lock from 3 ms to 5 ms, and its end at 9 ms.
Divided divide(Samples const& samples, std::optional<CallProbes> probes = {}, std::int64_t process = 11) {
    Divided divided;
    divided.recorded.provenance.process = process;
    divided.recorded.catalogue.threads.resize(1);
    divided.recorded.catalogue.threads[0].kernel_id = 12;
    divided.recorded.provenance.call_probes = probes;
    wire::Header header{};
    header.process = 11;
    header.begin.monotonic_ns = 100'000'000;
    SampledWork work;
    work.add(samples, header, divided.recorded);
    RecordingSink const keep{[](ThreadId, std::span<Event const>) {},
                             [&](ThreadId, std::span<WorkShare const> some) {
                                 divided.shares.insert(divided.shares.end(), some.begin(), some.end());
                             }};
    auto const sink = work.divided(keep);
    std::vector const events = {event_at(EventKind::thread_begin, 0, 0),
                                event_at(EventKind::lock, 3'000'000, 2'000'000),
                                event_at(EventKind::thread_end, 9'000'000, 0)};
    sink.events(ThreadId(std::size_t{0}), std::span(events).first(2));
    sink.events(ThreadId(std::size_t{0}), std::span(events).subspan(2));
    return divided;
}

Samples samples_at(std::vector<std::int64_t> const& times_ms) {
    Samples samples{1'000'000, 2, {{no_caller, 0x1000}, {0, 0x2000}}, {}};
    for (auto const ms : times_ms)
        samples.samples.push_back({100'000'000 + ms * 1'000'000, 11, 12, 1});
    return samples;
}

TEST(SampledWork, IsThatBeforeTheEventThatEndsAfterTheSample) {
    auto samples = samples_at({1, 2, 4, 6});
    samples.samples.push_back({102'000'000, 99, 12, 1});  // of another process
    samples.samples.push_back({103'000'000, 11, 77, 1});  // of a thread that was not recorded
    auto const divided = divide(samples);
    auto const known = StackId(std::size_t{0});
    EXPECT_EQ(divided.shares, (std::vector<WorkShare>{{1, known, 3'000'000, 0, 0},
                                                      {1, StackId::none(), 0, 0, 0},
                                                      {2, known, 1'000'000, 0, 0},
                                                      {2, StackId::none(), 0, 0, 0}}));
    ASSERT_TRUE(divided.recorded.provenance.sampling);
    EXPECT_EQ(*divided.recorded.provenance.sampling, (Sampling{1'000'000, 5, 2}));
    ASSERT_EQ(divided.recorded.catalogue.stacks.size(), 1u);
    auto const site = divided.recorded.catalogue.stacks[0].function;
    EXPECT_EQ(function_name(divided.recorded.catalogue, site), "unknown") << "there are no modules";
}

// Samples had no names by it: only calls had.
TEST(SampledWork, OfCompiledCodeIsNamedByTheMapOfItsProcess) {
    std::int64_t const process = getpid();  // this one has no other map
    auto const map = std::filesystem::path("/tmp") / ("perf-" + std::to_string(process) + ".map");
    std::ofstream(map) << "2000 100 py::put:/srv/queue.py\n";
    auto const divided = divide(samples_at({1}), {}, process);
    std::filesystem::remove(map);
    auto const& stacks = divided.recorded.catalogue.stacks;
    ASSERT_FALSE(stacks.empty());
    EXPECT_EQ(function_name(divided.recorded.catalogue, stacks.back().function), "put");
}

TEST(SampledWork, IsNothingWhereTheProgramItselfSaysWhatItsFunctionsTake) {
    auto const divided = divide(samples_at({1, 2}), CallProbes{});
    EXPECT_TRUE(divided.shares.empty());
    EXPECT_FALSE(divided.recorded.provenance.sampling);
}

}  // namespace
}  // namespace parcast::record
