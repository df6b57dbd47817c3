// Claim: a trace is written and read at 10 million events a second or more, in at most 6 bytes an event.
// The events are those of a loop of lock, work and unlock whose times jitter by 64 ns.

#include <benchmark/benchmark.h>

#include <random>

#include "trace/recording_file.h"

namespace {

using namespace parcast;

Timeline locking_loop(std::size_t events) {
    std::mt19937_64 random(1);
    Timeline timeline;
    timeline.catalogue.threads.resize(1);
    timeline.catalogue.objects.resize(4);
    timeline.catalogue.sites.resize(4);
    timeline.events.resize(1);
    std::int64_t now_ns = 0;
    for (std::size_t i = 0; i < events; ++i) {
        Event event;
        event.kind = i + 1 == events ? EventKind::thread_end : i % 2 ? EventKind::unlock : EventKind::lock;
        event.cpu_ns = static_cast<std::int64_t>((i % 2 ? 5'000 : 200) + random() % 64);
        now_ns += event.cpu_ns;
        event.wall_ns = now_ns;
        event.object = ObjectId(i / 2 % 4);
        event.site = SiteId(i % 4);
        timeline.events[0].push_back(event);
    }
    timeline.length.ns = now_ns;
    return timeline;
}

void write(benchmark::State& state) {
    Timeline const timeline = locking_loop(static_cast<std::size_t>(state.range(0)));
    std::size_t bytes = 0;
    for (auto _ : state) {
        auto const file = trace::write_recording(timeline);
        bytes = file.size();
        benchmark::DoNotOptimize(file.data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.counters["bytes_an_event"] = static_cast<double>(bytes) / static_cast<double>(state.range(0));
}
BENCHMARK(write)->RangeMultiplier(10)->Range(1'000, 1'000'000);

void read(benchmark::State& state) {
    auto const file = trace::write_recording(locking_loop(static_cast<std::size_t>(state.range(0))));
    for (auto _ : state) {
        auto const timeline = trace::read_recording(file);
        if (!timeline) {
            state.SkipWithError("the trace cannot be read");
            break;
        }
        benchmark::DoNotOptimize(timeline->events.data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(read)->RangeMultiplier(10)->Range(1'000, 1'000'000);

}  // namespace
