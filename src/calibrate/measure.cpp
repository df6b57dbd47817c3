#include "calibrate/measure.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "calibrate/probes.h"
#include "calibrate/statistics.h"
#include "core/ensure.h"
#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::calibrate {

namespace {

constexpr Duration soon{20'000};
constexpr Duration usual{200'000};
constexpr Duration late{5'000'000};
constexpr Duration window{40'000'000};
constexpr std::size_t most_woken = 16;  // as many want one lock, at most
constexpr std::size_t least_woken = 4;
// A loop whose thread had its CPU for less of the time was disturbed.
constexpr double least_cpu_share = 0.97;

void append(std::vector<double>& to, std::vector<double>&& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void append(SpeedSamples& to, SpeedSamples&& from) {
    for (auto& [count, samples] : from)
        append(to[count], std::move(samples));
}

// What each thread beyond the first adds to the cost of waking all.
double wake_each(unsigned waker, std::vector<unsigned> const& sleepers) {
    constexpr std::size_t times = 20;
    std::size_t const woken = std::clamp(sleepers.size(), least_woken, most_woken);
    double const one = summarize(wake_all_calls(waker, sleepers, 1, times)).median;
    double const all = summarize(wake_all_calls(waker, sleepers, woken, times)).median;
    return (all - one) / static_cast<double>(woken - 1);
}

}  // namespace

// Takes all portions of a quantity, or only the first if the time is up.
class Measurement::Portions {
public:
    explicit Portions(Duration budget) : end_ns_(measure::wall_ns() + budget.ns) {}

    template <class Portion>
    void take(int count, Portion&& portion) {
        portion();
        for (int taken = 1; taken < count; ++taken) {
            if (measure::wall_ns() >= end_ns_) {
                were_cut_short_ = true;
                return;
            }
            portion();
        }
    }
    bool were_cut_short() const { return were_cut_short_; }

private:
    std::int64_t end_ns_;
    bool were_cut_short_ = false;
};

std::vector<std::size_t> without_samples(SpeedSamples const& speeds, std::size_t cpus) {
    auto missing = counts_to_measure(cpus);
    std::erase_if(missing, [&](std::size_t count) { return speeds.contains(count); });
    return missing;
}

void append(Samples& samples, Samples&& round) {
    for (std::size_t i = 0; i < quantity_count; ++i)
        append(samples.costs[i], std::move(round.costs[i]));
    append(samples.compute, std::move(round.compute));
    append(samples.memory, std::move(round.memory));
    samples.is_cut_short = samples.is_cut_short || round.is_cut_short;
}

Measurement::Measurement(Host host)
    : host_(std::move(host)), arrays_(host_.cpus.size(), host_.last_level_cache_bytes) {
    ensure(!host_.cpus.empty(), "there is a CPU to measure on");
}

// Instead of a look at each thread that is bound: the partners of one that is not would have to be told.
Result<void> Measurement::check_cpus() const {
    if (auto const cpu = measure::first_unusable(host_.cpus))
        return fail(ErrorCode::not_permitted,
                    "CPU " + std::to_string(*cpu) + " cannot be used, or not any more: nothing was measured");
    return {};
}

Result<Samples> Measurement::round(Duration budget) {
    if (auto usable = check_cpus(); !usable)
        return pass_on(usable);
    Samples samples;
    Portions portions(budget);
    measure_one_cpu(samples, portions);
    if (host_.cpus.size() >= 2)
        measure_two_cpus(samples, portions);
    samples.is_cut_short = portions.were_cut_short();
    samples.compute = speeds(LoopKind::compute);
    samples.memory = speeds(LoopKind::memory);
    if (auto usable = check_cpus(); !usable)
        return pass_on(usable);
    return samples;
}

void Measurement::measure_one_cpu(Samples& samples, Portions& portions) const {
    unsigned const cpu = host_.cpus.front();
    portions.take(10, [&] { append(samples.of(Quantity::context_switch), yield_switches(cpu, 1)); });
    portions.take(10, [&] {
        HandOffs made = hand_offs(cpu, 20);
        append(samples.of(Quantity::hand_off), std::move(made.switches_ns));
        append(samples.of(Quantity::wake_call_same_cpu), std::move(made.wake_calls_ns));
    });
    portions.take(4, [&] { append(samples.of(Quantity::lock), uncontended_locks(cpu, 5)); });
    portions.take(5, [&] {
        ThreadLives lives = thread_lives(cpu, cpu, 10);
        append(samples.of(Quantity::create_thread), std::move(lives.creations_ns));
        append(samples.of(Quantity::join_thread), std::move(lives.joins_ns));
        append(samples.of(Quantity::thread_life), std::move(lives.lives_ns));
    });
}

void Measurement::measure_two_cpus(Samples& samples, Portions& portions) const {
    unsigned const one = host_.cpus[0];
    unsigned const other = host_.cpus[1];
    portions.take(5, [&] {
        WakeUps made = wake_ups(one, other, soon, 10);
        append(samples.of(Quantity::wake_up_soon), std::move(made.latencies_ns));
        append(samples.of(Quantity::wake_call_soon), std::move(made.wake_calls_ns));
    });
    portions.take(5, [&] {
        WakeUps made = wake_ups(one, other, usual, 10);
        append(samples.of(Quantity::wake_up), std::move(made.latencies_ns));
        append(samples.of(Quantity::wake_call), std::move(made.wake_calls_ns));
    });
    portions.take(
        2, [&] { append(samples.of(Quantity::wake_up_late), wake_ups(one, other, late, 5).latencies_ns); });
    samples.of(Quantity::wake_each_waiter) = {
        wake_each(one, std::vector<unsigned>(host_.cpus.begin() + 1, host_.cpus.end()))};
    portions.take(5, [&] { append(samples.of(Quantity::contended_lock), contended_locks(one, other, 10)); });
    measure_hot_locks(samples, portions);
    portions.take(5, [&] {
        append(samples.of(Quantity::create_thread_elsewhere), thread_lives(one, other, 10).creations_ns);
    });
    portions.take(5, [&] {
        auto made = messages_between(one, other, 4);
        append(samples.of(Quantity::message_one_way), std::move(made.one_way_ns));
        append(samples.of(Quantity::message_send), std::move(made.send_ns));
        append(samples.of(Quantity::message_send_medium), std::move(made.medium_send_ns));
        append(samples.of(Quantity::message_gap), std::move(made.gap_ns));
        append(samples.of(Quantity::message_gap_large), std::move(made.large_gap_ns));
    });
}

// Several threads on CPUs of their own: a sample in which one had to wait for its CPU is far off.
void Measurement::measure_hot_locks(Samples& samples, Portions& portions) const {
    constexpr std::size_t count = 5;
    std::span const cpus(host_.cpus);
    auto const two = cpus.first(2);
    auto const all = cpus.first(std::min(cpus.size(), most_woken));
    auto const take = [&](Quantity quantity, auto const& probe) {
        portions.take(2, [&] { append(samples.of(quantity), probe()); });
    };
    take(Quantity::hot_handover, [&] { return hot_hand_overs(HotLock::mutex, two, count); });
    take(Quantity::hot_read_handover, [&] { return hot_hand_overs(HotLock::read_lock, two, count); });
    take(Quantity::hot_word_handover, [&] { return hot_hand_overs(HotLock::word, two, count); });
    take(Quantity::hot_mutex, [&] { return hot_operations(HotLock::mutex, two, 0, count); });
    take(Quantity::hot_read_lock, [&] { return hot_operations(HotLock::read_lock, two, 0, count); });
    take(Quantity::hot_word, [&] { return hot_operations(HotLock::word, two, 0, count); });
    take(Quantity::hot_mutex_of_all, [&] { return hot_operations(HotLock::mutex, all, 0, count); });
}

SpeedSamples Measurement::speeds(LoopKind kind) {
    SpeedSamples samples;
    for (std::size_t const count : counts_to_measure(host_.cpus.size())) {
        auto const together = throughput(kind, std::span(host_.cpus).first(count), window, arrays_);
        if (together.least_cpu_share >= least_cpu_share)
            samples[count] = {together.each_per_second};
    }
    return samples;
}

}  // namespace parcast::calibrate
